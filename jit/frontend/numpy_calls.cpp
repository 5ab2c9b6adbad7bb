#include "jit/frontend/numpy_calls.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "interp/numpy_loops.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/numpy_arithmetic.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/numpy_promotion.h"
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

// What a number is multiplied by, as NumPy has it for each class; nan for other functions.
double factorOf(NumPyFunction function, bool isSingle) {
    switch (function) {
    case NumPyFunction::k_deg2rad:
    case NumPyFunction::k_radians: return isSingle ? std::numbers::pi_v<float> / 180.0F : std::numbers::pi / 180.0;
    case NumPyFunction::k_rad2deg:
    case NumPyFunction::k_degrees: return isSingle ? 180.0F / std::numbers::pi_v<float> : 180.0 / std::numbers::pi;
    default: return std::numeric_limits<double>::quiet_NaN();
    }
}

// Of a double; a float's result is rounded once more, which changes nothing.
Id computed(RegionBuilder& b, NumPyFunction function, Id x, bool isSingle) {
    if (double factor = factorOf(function, isSingle); !std::isnan(factor)) {
        return b.emit(ir::Op::k_float_mul, {x, b.constFloat(factor)});
    }
    switch (function) {
    case NumPyFunction::k_absolute:
    case NumPyFunction::k_fabs: return b.emit(ir::Op::k_float_abs, {x});
    case NumPyFunction::k_ceil: return rounded(b, Helper::k_ceil, x);
    case NumPyFunction::k_floor: return rounded(b, Helper::k_floor, x);
    case NumPyFunction::k_rint:
    case NumPyFunction::k_around:
    case NumPyFunction::k_round: return rounded(b, Helper::k_round_half_even, x);
    case NumPyFunction::k_trunc: {
        Id isNegative = b.emit(ir::Op::k_float_lt, {x, b.constFloat(0.0)});
        return b.emit(ir::Op::k_float_select, {isNegative, rounded(b, Helper::k_ceil, x), rounded(b, Helper::k_floor, x)});
    }
    case NumPyFunction::k_sqrt:
        return b.emitExiting(ir::Op::k_math_unary, {x}, ExitReason::k_flag, static_cast<int64_t>(MathFunction::k_sqrt));
    case NumPyFunction::k_conjugate: return x;
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

// As which class an int is taken that a function gives as it is.
Element ownElement(const NumPyNumber& number) {
    return number.isPython() ? Element::k_int64 : number.element;
}

// As which NumPy takes a number for what is computed in floats; kCount for a class that compiled code does not have.
Element floatElement(const NumPyNumber& number) {
    if (number.isPython() || number.kind == Kind::kFloat) {
        return number.isPython() ? Element::k_float64 : number.element;
    }
    int bytes = info(number.element).bytes;
    return bytes > 2 ? Element::k_float64 : bytes == 2 ? Element::k_float32 : Element::kCount;
}

// Of an int; kNoId where the result is none. What does not fit wraps around, without a warning, which is left to NumPy.
Id computedInt(RegionBuilder& b, NumPyFunction function, const NumPyNumber& number) {
    Id x = number.value;
    Id result = ir::kNoId;
    switch (function) {
    case NumPyFunction::k_around:
    case NumPyFunction::k_round:
    case NumPyFunction::k_conjugate: return x;
    case NumPyFunction::k_absolute: result = b.emit(ir::Op::k_int_max, {x, b.emitExiting(ir::Op::k_int_neg, {x}, ExitReason::k_flag)}); break;
    case NumPyFunction::k_square: result = b.emitExiting(ir::Op::k_int_mul, {x, x}, ExitReason::k_flag); break;
    default: return ir::kNoId;
    }
    b.emitExiting(ir::Op::k_guard_fits, {result}, ExitReason::k_flag, static_cast<int64_t>(ownElement(number)));
    return result;
}

bool callConjugate(RegionBuilder& b, const BytecodeInstruction& in) {
    Complex number = complexParts(b, b.top());
    number.imag = b.emit(ir::Op::k_float_neg, {number.imag});
    PyTypeObject* cls = b.top().knownClass();
    finishCall(b, in, 3, complexValue(b, isScalarClass(cls) ? cls : NumPyTypes::known()->scalar(Element::k_complex128), number));
    return true;
}

bool callFunction(RegionBuilder& b, const BytecodeInstruction& in, NumPyFunction function) {
    if (function == NumPyFunction::k_conjugate && isAnyComplex(b.top())) {
        return callConjugate(b, in);
    }
    if (function == NumPyFunction::k_absolute && isAnyComplex(b.top())) {
        return callComplexLength(b, in);
    }
    std::optional<NumPyNumber> number = numberOf(b, b.top());
    if (!number || number->kind == Kind::kBool) {
        return false;
    }
    if (isQuestion(function)) {
        Id answered = number->kind == Kind::kFloat ? answer(b, function, number->value)
                                                   : b.emit(ir::Op::k_const_bool, {}, function == NumPyFunction::k_isfinite);
        finishCall(b, in, 3, scalarOf(b, Element::k_bool_, answered));
        return true;
    }
    if (Id whole = number->kind == Kind::kInt ? computedInt(b, function, *number) : ir::kNoId; whole != ir::kNoId) {
        finishCall(b, in, 3, scalarOf(b, ownElement(*number), whole));
        return true;
    }
    // What is rounded to an int stays one, from NumPy 2 on.
    bool isAsFloat = number->kind == Kind::kFloat || function == NumPyFunction::k_sqrt || function == NumPyFunction::k_fabs;
    Element element = isAsFloat ? floatElement(*number) : Element::kCount;
    if (element == Element::kCount) {
        return false;
    }
    number->value = asDouble(b, *number);
    bool isSingle = element == Element::k_float32;
    Id result = computed(b, function, number->value, isSingle);
    result = isSingle ? b.emit(ir::Op::k_float_single, {result}) : result;
    bool mayBeTiny = function == NumPyFunction::k_square || !std::isnan(factorOf(function, isSingle));
    guardNoFlag(b, result, number->value, number->value,
                !mayBeTiny ? Underflow::kNever : isSingle ? Underflow::kSingle : Underflow::kDouble);
    finishCall(b, in, 3, scalarOf(b, element, result));
    return true;
}

// The largest, the smallest, and the sign, which stay ints.
bool callOfInts(RegionBuilder& b, const BytecodeInstruction& in, NumPyFunction function, int arguments) {
    std::optional<NumPyNumber> right = numberOf(b, b.top());
    std::optional<NumPyNumber> left = arguments == 2 ? numberOf(b, b.top(1)) : right;
    bool isSign = function == NumPyFunction::k_sign;
    bool isLargest = function == NumPyFunction::k_maximum || function == NumPyFunction::k_fmax;
    bool isSmallest = function == NumPyFunction::k_minimum || function == NumPyFunction::k_fmin;
    if (!left || !right || left->kind != Kind::kInt || right->kind != Kind::kInt || (!isSign && !isLargest && !isSmallest)) {
        return false;
    }
    Element element = left->isPython() && right->isPython() ? Element::k_int64 : promoted(*left, *right);
    if (isFloat(element)) {
        return false;  // an int64 and a uint64
    }
    Id x = wordFor(b, *left, element);
    Id y = isSign ? b.constInt(0) : wordFor(b, *right, element);
    auto answer = [&](ir::Op op) { return b.emit(ir::Op::k_bool_to_int, {b.emit(op, {x, y})}); };
    Id result = isSign ? b.emit(ir::Op::k_int_sub_wrap, {answer(ir::Op::k_int_gt), answer(ir::Op::k_int_lt)})
                       : b.emit(isLargest ? ir::Op::k_int_max : ir::Op::k_int_min, {x, y});
    finishCall(b, in, arguments + 2, scalarOf(b, element, result));
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
        result = element == Element::k_float32 ? asSingle(b, *number) : asDouble(b, *number);
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
    if (arguments == 2 && (function == NumPyFunction::k_round || function == NumPyFunction::k_around)) {
        return roundAtDigit(b, in);
    }
    if (function == NumPyFunction::kCount || kNumPyFunctions[static_cast<int>(function)].operands != arguments) {
        return false;
    }
    return isExact(function) ? callFunction(b, in, function) : callOfInts(b, in, function, arguments) || callLoop(b, in, function, arguments);
}

}  // namespace kiln
