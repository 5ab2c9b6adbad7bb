#include "jit/frontend/numpy_calls.h"

#include <cmath>

#include "interp/numpy_loops.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

bool isQuestion(NumPyFunction function) {
    return function == NumPyFunction::k_isnan || function == NumPyFunction::k_isinf || function == NumPyFunction::k_isfinite;
}

Id answer(RegionBuilder& b, NumPyFunction function, Id x) {
    if (function == NumPyFunction::k_isnan) {
        return b.emit(ir::Op::k_float_ne, {x, x});
    }
    Id magnitude = b.emit(ir::Op::k_float_abs, {x});
    ir::Op compare = function == NumPyFunction::k_isinf ? ir::Op::k_float_eq : ir::Op::k_float_lt;
    return b.emit(compare, {magnitude, b.constFloat(HUGE_VAL)});
}

Id rounded(RegionBuilder& b, Helper helper, Id x) {
    return b.emit(ir::Op::k_pure_float, {x}, static_cast<int64_t>(helper));
}

// Of a double; a float's result is rounded once more, which changes nothing.
Id computed(RegionBuilder& b, NumPyFunction function, Id x) {
    switch (function) {
    case NumPyFunction::k_absolute:
    case NumPyFunction::k_fabs: return b.emit(ir::Op::k_float_abs, {x});
    case NumPyFunction::k_ceil: return rounded(b, Helper::k_ceil, x);
    case NumPyFunction::k_floor: return rounded(b, Helper::k_floor, x);
    case NumPyFunction::k_rint: return rounded(b, Helper::k_round_half_even, x);
    case NumPyFunction::k_sqrt:
        return b.emitExiting(ir::Op::k_math_unary, {x}, ExitReason::k_flag, static_cast<int64_t>(MathFunction::k_sqrt));
    default: return b.emit(ir::Op::k_float_mul, {x, x});
    }
}

bool isExact(NumPyFunction function) {
    return kNumPyFunctions[static_cast<int>(function)].how == NumPyMeans::kExact;
}

// float64, float32, an int of 64 bits, which becomes float64, or kCount: another number.
Element loopElement(const NumPyNumber& number) {
    if (number.isPython()) {
        return number.kind == Kind::kFloat ? Element::k_float64 : number.kind == Kind::kInt ? Element::k_int64 : Element::kCount;
    }
    bool isKnown = isFloat(number.element) || number.element == Element::k_int64;
    return isKnown ? number.element : Element::kCount;
}

// By NumPy's own loop, where the operands are what it is for. Other mixtures are NumPy's.
bool callLoop(RegionBuilder& b, const BytecodeInstruction& in, NumPyFunction function, int arguments) {
    std::optional<NumPyNumber> right = numberOf(b, b.top());
    std::optional<NumPyNumber> left = arguments == 2 ? numberOf(b, b.top(1)) : right;
    if (!left || !right) {
        return false;
    }
    Element first = loopElement(*left);
    Element second = loopElement(*right);
    if (first == Element::kCount || second == Element::kCount) {
        return false;
    }
    bool isSingle = first == Element::k_float32 && second == Element::k_float32;
    bool isDouble = first == Element::k_float64 || second == Element::k_float64;
    bool hasSingle = first == Element::k_float32 || second == Element::k_float32;
    bool isFit = isSingle || (!hasSingle && (isDouble || takesInts(function)));
    if (!isFit || !hasNumPyLoop(function, isSingle)) {
        return false;
    }
    int64_t loop = numpyLoopNumber(function, isSingle);
    Id result = arguments == 1 ? b.emitExiting(ir::Op::k_numpy_unary, {asDouble(b, *right)}, ExitReason::k_flag, loop)
                               : b.emitExiting(ir::Op::k_numpy_binary, {asDouble(b, *left), asDouble(b, *right)}, ExitReason::k_flag, loop);
    finishCall(b, in, arguments + 2, scalarOf(b, isSingle ? Element::k_float32 : Element::k_float64, result));
    return true;
}

bool callFunction(RegionBuilder& b, const BytecodeInstruction& in, NumPyFunction function) {
    std::optional<NumPyNumber> number = numberOf(b, b.top());
    if (!number || number->kind != Kind::kFloat) {
        return false;
    }
    Element element = number->isPython() ? Element::k_float64 : number->element;
    if (isQuestion(function)) {
        finishCall(b, in, 3, scalarOf(b, Element::k_bool_, answer(b, function, number->value)));
        return true;
    }
    Id result = computed(b, function, number->value);
    bool isSingle = element == Element::k_float32;
    result = isSingle ? b.emit(ir::Op::k_float_single, {result}) : result;
    bool mayBeTiny = function == NumPyFunction::k_square;
    guardNoFlag(b, result, number->value, number->value,
                !mayBeTiny ? Underflow::kNever : isSingle ? Underflow::kSingle : Underflow::kDouble);
    finishCall(b, in, 3, scalarOf(b, element, result));
    return true;
}

// What does not fit is NumPy's: it raises or wraps, by what the number is.
bool convert(RegionBuilder& b, const BytecodeInstruction& in, Element element) {
    std::optional<NumPyNumber> number = numberOf(b, b.top());
    if (!number) {
        return false;
    }
    Id result;
    if (element == Element::k_bool_) {
        result = truth(b, AbstractValue::number(number->kind, number->value));
    } else if (isFloat(element)) {
        Id value = asDouble(b, *number);
        result = value;
        if (element == Element::k_float32 && number->element != Element::k_float32) {
            result = b.emit(ir::Op::k_float_single, {value});
            guardNoFlag(b, result, value, value, Underflow::kSingle);
        }
    } else {
        result = number->kind == Kind::kFloat ? b.emitExiting(ir::Op::k_float_to_int, {number->value}, ExitReason::k_flag)
                                              : asWord(b, *number);
        b.emitExiting(ir::Op::k_guard_fits, {result}, ExitReason::k_flag, static_cast<int64_t>(element));
    }
    finishCall(b, in, 3, scalarOf(b, element, result));
    return true;
}

}  // namespace

bool callNumPy(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    const NumPyTypes* numpy = NumPyTypes::known();
    if (numpy == nullptr || b.siteOf(in).generic) {
        return false;
    }
    if (PyType_Check(callee)) {
        Element element = numpy->elementOf(reinterpret_cast<PyTypeObject*>(callee));
        if (element == Element::kCount || arguments != 1) {
            return false;
        }
        return isComplex(element) ? convertToComplex(b, in, element) : convert(b, in, element);
    }
    NumPyFunction function = numpy->functionOf(callee);
    if (function == NumPyFunction::kCount || kNumPyFunctions[static_cast<int>(function)].operands != arguments) {
        return false;
    }
    return isExact(function) ? callFunction(b, in, function) : callLoop(b, in, function, arguments);
}

}  // namespace kiln
