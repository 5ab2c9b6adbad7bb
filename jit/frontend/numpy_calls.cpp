#include "jit/frontend/numpy_calls.h"

#include <cmath>

#include "jit/frontend/build_call.h"
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
    if (numpy == nullptr || arguments != 1 || b.siteOf(in).generic) {
        return false;
    }
    if (PyType_Check(callee)) {
        Element element = numpy->elementOf(reinterpret_cast<PyTypeObject*>(callee));
        return element != Element::kCount && convert(b, in, element);
    }
    NumPyFunction function = numpy->functionOf(callee);
    return function != NumPyFunction::kCount && callFunction(b, in, function);
}

}  // namespace kiln
