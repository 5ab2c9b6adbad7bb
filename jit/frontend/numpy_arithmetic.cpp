#include "jit/frontend/numpy_arithmetic.h"

#include <opcode.h>

#include <limits>

#include "jit/frontend/build_call.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/numpy_promotion.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// The operands, and the class that both get first.
struct Operands {
    NumPyNumber left;
    NumPyNumber right;
    Element element = Element::kCount;
};

// Of the two topmost entries; nullopt where neither is a NumPy scalar, or only NumPy knows.
std::optional<Operands> operandsOf(RegionBuilder& b, const BytecodeInstruction& in) {
    knowScalarClass(b, in, 1, b.siteOf(in).receivers);
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    auto isNumPy = [&](int below) { return isScalarClass(b.top(below).knownClass()); };
    if ((!isNumPy(0) && !isNumPy(1)) || b.siteOf(in).generic || oftenRaises(b, in)) {
        return std::nullopt;
    }
    std::optional<NumPyNumber> left = bitsOf(b, b.top(1));
    std::optional<NumPyNumber> right = bitsOf(b, b.top(0));
    if (!left || !right) {
        return std::nullopt;
    }
    return Operands{*left, *right, promoted(*left, *right)};
}

void guardWords(RegionBuilder& b, const Operands& operands) {
    guardWord(b, operands.left);
    guardWord(b, operands.right);
}

// The top entry, if it is a NumPy scalar.
std::optional<NumPyNumber> topBits(RegionBuilder& b, const BytecodeInstruction& in) {
    knowScalarClass(b, in, 0, b.siteOf(in).receivers);
    bool isScalar = isScalarClass(b.top().knownClass()) && !b.siteOf(in).generic;
    return isScalar ? bitsOf(b, b.top()) : std::nullopt;
}

std::optional<NumPyNumber> topScalar(RegionBuilder& b, const BytecodeInstruction& in) {
    std::optional<NumPyNumber> number = topBits(b, in);
    if (number) {
        guardWord(b, *number);
    }
    return number;
}

void guardFits(RegionBuilder& b, Id word, Element element) {
    if (element != Element::k_int64) {
        b.emitExiting(ir::Op::k_guard_fits, {word}, ExitReason::k_flag, static_cast<int64_t>(element));
    }
}

Id doubleFor(RegionBuilder& b, const NumPyNumber& number, Element element) {
    Id value = asDouble(b, number);
    if (element == Element::k_float64 || number.element == Element::k_float32 || number.kind == Kind::kBool) {
        return value;
    }
    Id single = b.emit(ir::Op::k_float_single, {value});
    guardNoFlag(b, single, value, value, Underflow::kNever);
    return single;
}

// Exact, or the region is left: NumPy's result wraps then, with a warning.
Id wordOperation(RegionBuilder& b, int operation, Id x, Id y) {
    auto exiting = [&](ir::Op op) { return b.emitExiting(op, {x, y}, ExitReason::k_flag); };
    switch (operation) {
    case NB_ADD: return exiting(ir::Op::k_int_add);
    case NB_SUBTRACT: return exiting(ir::Op::k_int_sub);
    case NB_MULTIPLY: return exiting(ir::Op::k_int_mul);
    case NB_FLOOR_DIVIDE: return exiting(ir::Op::k_int_floordiv);
    case NB_REMAINDER: return exiting(ir::Op::k_int_mod);
    case NB_AND: return b.emit(ir::Op::k_int_and, {x, y});
    case NB_OR: return b.emit(ir::Op::k_int_or, {x, y});
    case NB_XOR: return b.emit(ir::Op::k_int_xor, {x, y});
    case NB_POWER:
        if (b.knownInt(y) == 2) {
            return b.emitExiting(ir::Op::k_int_mul, {x, x}, ExitReason::k_flag);
        }
        b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ge, {y, b.constInt(0)})}, ExitReason::k_flag);
        return exiting(ir::Op::k_int_pow);
    default: return ir::kNoId;
    }
}

}  // namespace

Id wordFor(RegionBuilder& b, const NumPyNumber& number, Element element) {
    Id word = asWord(b, number);
    std::optional<int64_t> known = b.knownInt(word);
    bool isSmall = known && *known >= 0 && *known <= std::numeric_limits<int8_t>::max();
    if (number.isPython() && number.kind == Kind::kInt && !isSmall) {
        guardFits(b, word, element);
    }
    return word;
}

namespace {

// NumPy drops the bits that leave the element, without a warning. It has rules of its own for more places than an element has.
Id shifted(RegionBuilder& b, int operation, Id x, Id places, Element element) {
    int64_t bits = 8 * info(element).bytes;
    std::optional<int64_t> known = b.knownInt(places);
    if (!known || *known < 0 || *known >= bits) {
        Id isFew = b.emit(ir::Op::k_int_below, {places, b.constInt(bits)});
        b.emitExiting(ir::Op::k_guard_true, {isFew}, ExitReason::k_flag);
    }
    bool isWord = info(element).bytes == sizeof(int64_t);
    if (operation == NB_RSHIFT) {
        return b.emit(element == Element::k_uint64 ? ir::Op::k_int_shr_unsigned : ir::Op::k_int_shr, {x, places});
    }
    Id result = b.emit(ir::Op::k_int_shl_wrap, {x, places});
    return isWord ? result : b.emit(ir::Op::k_int_narrow, {result}, static_cast<int64_t>(element));
}

bool isShift(int operation) {
    return operation == NB_LSHIFT || operation == NB_RSHIFT;
}

bool isBitwise(int operation) {
    return operation == NB_AND || operation == NB_OR || operation == NB_XOR;
}

Id integerArithmetic(RegionBuilder& b, int operation, const Operands& operands) {
    if (!isShift(operation) && !isBitwise(operation)) {
        guardWords(b, operands);
    }
    Id x = wordFor(b, operands.left, operands.element);
    Id y = wordFor(b, operands.right, operands.element);
    if (isShift(operation)) {
        return shifted(b, operation, x, y, operands.element);
    }
    Id result = wordOperation(b, operation, x, y);
    if (result != ir::kNoId && !isBitwise(operation)) {
        guardFits(b, result, operands.element);
    }
    return result;
}

Id boolArithmetic(RegionBuilder& b, int operation, Id x, Id y) {
    switch (operation) {
    case NB_AND: return b.emit(ir::Op::k_bool_and, {x, y});
    case NB_OR: return b.emit(ir::Op::k_bool_or, {x, y});
    case NB_XOR: return b.emit(ir::Op::k_bool_xor, {x, y});
    default: return ir::kNoId;
    }
}

// The same in doubles as in floats: rounding twice gives what rounding once does, for + - * / of floats.
Id floatArithmetic(RegionBuilder& b, int operation, Id x, Id y, Element element) {
    Id result = ir::kNoId;
    switch (operation) {
    case NB_ADD: result = b.emit(ir::Op::k_float_add, {x, y}); break;
    case NB_SUBTRACT: result = b.emit(ir::Op::k_float_sub, {x, y}); break;
    case NB_MULTIPLY: result = b.emit(ir::Op::k_float_mul, {x, y}); break;
    case NB_TRUE_DIVIDE: result = b.emitExiting(ir::Op::k_float_div, {x, y}, ExitReason::k_flag); break;
    default: return ir::kNoId;
    }
    bool isSingle = element == Element::k_float32;
    result = isSingle ? b.emit(ir::Op::k_float_single, {result}) : result;
    bool isSum = operation == NB_ADD || operation == NB_SUBTRACT;
    guardNoFlag(b, result, x, y, isSum ? Underflow::kNever : isSingle ? Underflow::kSingle : Underflow::kDouble);
    return result;
}

// Of float32s. A remainder is exact but for one sum, which may be rounded twice. NumPy rounds a quotient's terms to float32: while the
// quotient has few bits, that does not change it.
Id singleArithmetic(RegionBuilder& b, int operation, Id x, Id y) {
    constexpr double kMostExact = 1 << 20;
    Id result = ir::kNoId;
    if (operation == NB_REMAINDER) {
        result = b.emit(ir::Op::k_float_single, {b.emitExiting(ir::Op::k_float_mod, {x, y}, ExitReason::k_flag)});
    } else if (operation == NB_FLOOR_DIVIDE) {
        result = b.emitExiting(ir::Op::k_float_floordiv, {x, y}, ExitReason::k_flag);
        Id isSmall = b.emit(ir::Op::k_float_lt, {b.emit(ir::Op::k_float_abs, {result}), b.constFloat(kMostExact)});
        b.emitExiting(ir::Op::k_guard_true, {isSmall}, ExitReason::k_flag);
    } else {
        return ir::kNoId;
    }
    guardNoFlag(b, result, x, y, Underflow::kNever);
    return result;
}

// What is converted to float32 first is raised to a power as these are.
Id singlePower(RegionBuilder& b, const Operands& operands, Id x, Id y) {
    auto isSmall = [](const NumPyNumber& number) { return number.isPython() || number.element == Element::k_float32; };
    if (!isSmall(operands.left) || !isSmall(operands.right)) {
        return ir::kNoId;
    }
    Id result = b.emit(ir::Op::k_single_pow, {x, y});
    guardNoFlag(b, result, x, x, Underflow::kSingle);
    return result;
}

// Of doubles. What is computed of other classes than float64 NumPy raises to a power by other code than scalars.
Id doubleArithmetic(RegionBuilder& b, int operation, const Operands& operands, Id x, Id y) {
    auto isExact = [](const NumPyNumber& number) { return number.isPython() || number.element == Element::k_float64; };
    Id result = ir::kNoId;
    switch (operation) {
    case NB_FLOOR_DIVIDE: result = b.emitExiting(ir::Op::k_float_floordiv, {x, y}, ExitReason::k_flag); break;
    case NB_REMAINDER: result = b.emitExiting(ir::Op::k_float_mod, {x, y}, ExitReason::k_flag); break;
    case NB_POWER:
        if (!isExact(operands.left) || !isExact(operands.right)) {
            return ir::kNoId;
        }
        result = b.emitExiting(ir::Op::k_float_pow, {x, y}, ExitReason::k_flag);
        guardNoFlag(b, result, x, x, Underflow::kDouble);
        return result;
    default: return ir::kNoId;
    }
    guardNoFlag(b, result, x, y, Underflow::kNever);
    return result;
}

constexpr ir::Op kWordCompares[] = {ir::Op::k_int_lt, ir::Op::k_int_le, ir::Op::k_int_eq,
                                    ir::Op::k_int_ne, ir::Op::k_int_gt, ir::Op::k_int_ge};
constexpr ir::Op kDoubleCompares[] = {ir::Op::k_float_lt, ir::Op::k_float_le, ir::Op::k_float_eq,
                                      ir::Op::k_float_ne, ir::Op::k_float_gt, ir::Op::k_float_ge};

}  // namespace

bool scalarBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    std::optional<Operands> operands = operandsOf(b, in);
    if (!operands) {
        return false;
    }
    Element element = operands->element;
    if (operation == NB_TRUE_DIVIDE && !isFloat(element)) {
        element = Element::k_float64;
    }
    Id result = ir::kNoId;
    if (isFloat(element)) {
        guardWords(b, *operands);
        Id x = doubleFor(b, operands->left, element);
        Id y = doubleFor(b, operands->right, element);
        result = floatArithmetic(b, operation, x, y, element);
        if (result == ir::kNoId && element == Element::k_float64) {
            result = doubleArithmetic(b, operation, *operands, x, y);
        } else if (result == ir::kNoId) {
            result = operation == NB_POWER ? singlePower(b, *operands, x, y) : singleArithmetic(b, operation, x, y);
        }
    } else if (element == Element::k_bool_) {
        result = boolArithmetic(b, operation, operands->left.value, operands->right.value);
    } else {
        result = integerArithmetic(b, operation, *operands);
    }
    if (result == ir::kNoId) {
        return false;
    }
    finishCall(b, in, 2, scalarOf(b, element, result));
    return true;
}

namespace {

// Of numbers that are not negative, as whose bits one may be.
Id compareUnsigned(RegionBuilder& b, int operation, Id left, Id right) {
    if (operation != Py_EQ && operation != Py_NE) {
        Id sign = b.constInt(std::numeric_limits<int64_t>::min());
        left = b.emit(ir::Op::k_int_xor, {left, sign});
        right = b.emit(ir::Op::k_int_xor, {right, sign});
    }
    return b.emit(kWordCompares[operation], {left, right});
}

bool isUnsigned(RegionBuilder& b, const NumPyNumber& number) {
    std::optional<int64_t> known = number.isPython() ? b.knownInt(number.value) : std::nullopt;
    return (known && *known >= 0) || (!number.isPython() && info(number.element).kind == ElementKind::kUnsigned);
}

}  // namespace

bool canCompare(RegionBuilder& b, const AbstractValue& value) {
    return bitsOf(b, value).has_value();
}

Id compareScalars(RegionBuilder& b, int operation, const NumPyNumber& left, const NumPyNumber& right) {
    Element element = promoted(left, right);
    // Before NumPy 2 int64 and uint64 meet as doubles.
    bool isExact = left.kind != Kind::kFloat && right.kind != Kind::kFloat && (!isFloat(element) || NumPyTypes::known()->hasWeakNumbers());
    if (isExact) {
        return b.emit(kWordCompares[operation], {asWord(b, left), asWord(b, right)});
    }
    Id x = doubleFor(b, left, element);
    Id y = doubleFor(b, right, element);
    return b.emit(kDoubleCompares[operation], {x, y});
}

bool scalarCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    std::optional<Operands> operands = operandsOf(b, in);
    if (!operands) {
        return false;
    }
    Id result = ir::kNoId;
    if (operands->element == Element::k_uint64 && isUnsigned(b, operands->left) && isUnsigned(b, operands->right)) {
        result = compareUnsigned(b, operation, operands->left.value, operands->right.value);
    } else {
        guardWords(b, *operands);
        result = compareScalars(b, operation, operands->left, operands->right);
    }
    finishCall(b, in, 2, scalarOf(b, Element::k_bool_, result));
    return true;
}

bool chooseScalar(RegionBuilder& b, Id condition, const AbstractValue& next, AbstractValue& best) {
    NumPyNumber chosen = *numberOf(b, next);
    if (chosen.kind == Kind::kBool) {
        return false;
    }
    ir::Op select = chosen.kind == Kind::kFloat ? ir::Op::k_float_select : ir::Op::k_int_select;
    best = scalarOf(b, chosen.element, b.emit(select, {condition, chosen.value, numberOf(b, best)->value}));
    return true;
}

bool absoluteScalar(RegionBuilder& b, const BytecodeInstruction& in) {
    std::optional<NumPyNumber> number = topScalar(b, in);
    if (!number || number->kind == Kind::kBool) {
        return false;
    }
    Id result;
    if (number->kind == Kind::kFloat) {
        result = b.emit(ir::Op::k_float_abs, {number->value});
    } else {
        Id negated = b.emitExiting(ir::Op::k_int_neg, {number->value}, ExitReason::k_flag);
        result = b.emit(ir::Op::k_int_max, {number->value, negated});
        guardFits(b, result, number->element);
    }
    finishCall(b, in, 3, scalarOf(b, number->element, result));
    return true;
}

AbstractValue pythonNumber(RegionBuilder& b, const NumPyNumber& number) {
    switch (number.kind) {
    case Kind::kFloat:
        return AbstractValue::number(Kind::kFloat, b.emit(ir::Op::k_float_neg, {b.emit(ir::Op::k_float_neg, {number.value})}));
    case Kind::kInt: return AbstractValue::number(Kind::kInt, b.emit(ir::Op::k_int_add_wrap, {number.value, b.constInt(0)}));
    default: return AbstractValue::number(number.kind, number.value);
    }
}

bool convertScalar(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls) {
    std::optional<NumPyNumber> number = topScalar(b, in);
    if (!number || (cls != &PyFloat_Type && cls != &PyLong_Type)) {
        return false;
    }
    NumPyNumber converted = *number;
    if (cls == &PyFloat_Type && number->kind != Kind::kFloat) {
        converted = {.kind = Kind::kFloat, .value = asDouble(b, *number)};
    } else if (cls == &PyLong_Type && number->kind == Kind::kFloat) {
        converted = {.kind = Kind::kInt, .value = b.emitExiting(ir::Op::k_float_to_int, {number->value}, ExitReason::k_flag)};
    } else if (cls == &PyLong_Type) {
        converted = {.kind = Kind::kInt, .value = asWord(b, *number)};
    }
    finishCall(b, in, 3, pythonNumber(b, converted));
    return true;
}

// round(x): an int of Python's.
bool roundScalar(RegionBuilder& b, const BytecodeInstruction& in, int popped) {
    std::optional<NumPyNumber> number = b.siteOf(in).bigInt ? std::nullopt : topScalar(b, in);
    if (!number || number->kind == Kind::kBool) {
        return false;
    }
    NumPyNumber whole{.kind = Kind::kInt, .value = number->value};
    if (number->kind == Kind::kFloat) {
        Id rounded = b.emit(ir::Op::k_pure_float, {number->value}, static_cast<int64_t>(Helper::k_round_half_even));
        whole.value = b.emitExiting(ir::Op::k_float_to_int, {rounded}, ExitReason::k_overflow);
    }
    finishCall(b, in, popped, pythonNumber(b, whole));
    return true;
}

// As NumPy does it: a product, rounded, and divided again. The powers of ten are exact.
bool roundAtDigit(RegionBuilder& b, const BytecodeInstruction& in) {
    constexpr int64_t kMostDigits = 22;
    knowScalarClass(b, in, 1, b.siteOf(in).receivers);
    NumPyNumber number = b.siteOf(in).generic ? NumPyNumber{} : bitsOf(b, b.top(1)).value_or(NumPyNumber{});
    int64_t digits = b.top().isInt() ? b.knownInt(b.top().value).value_or(-1) : -1;
    if (number.element != Element::k_float64 || digits < 0 || digits > kMostDigits) {
        return false;
    }
    double power = 1.0;
    for (int64_t digit = 0; digit < digits; digit++) {
        power *= 10.0;
    }
    Id factor = b.constFloat(power);
    Id result = number.value;
    if (digits > 0) {
        result = b.emit(ir::Op::k_float_mul, {number.value, factor});
        guardNoFlag(b, result, number.value, factor, Underflow::kDouble);
    }
    result = b.emit(ir::Op::k_pure_float, {result}, static_cast<int64_t>(Helper::k_round_half_even));
    if (digits > 0) {
        result = b.emitExiting(ir::Op::k_float_div, {result, factor}, ExitReason::k_flag);
    }
    finishCall(b, in, 4, scalarOf(b, Element::k_float64, result));
    return true;
}

bool scalarDivmod(RegionBuilder& b, const BytecodeInstruction& in) {
    std::optional<Operands> operands = operandsOf(b, in);
    Element element = operands ? operands->element : Element::kCount;
    bool isInteger = operands && !isFloat(element) && element != Element::k_bool_;
    if (!isInteger && element != Element::k_float64) {
        return false;
    }
    guardWords(b, *operands);
    auto part = [&](int operation) {
        Id value = isInteger ? integerArithmetic(b, operation, *operands)
                             : doubleArithmetic(b, operation, *operands, asDouble(b, operands->left), asDouble(b, operands->right));
        return scalarOf(b, element, value);
    };
    AbstractValue quotient = part(NB_FLOOR_DIVIDE);
    finishCall(b, in, 4, virtualObject(b, Kind::kTuple, {quotient, part(NB_REMAINDER)}));
    return true;
}

bool scalarInvert(RegionBuilder& b, const BytecodeInstruction& in) {
    std::optional<NumPyNumber> number = topBits(b, in);
    if (!number || number->kind == Kind::kFloat) {
        return false;
    }
    Id result;
    if (number->kind == Kind::kBool) {
        result = b.emit(ir::Op::k_bool_not, {number->value});
    } else if (info(number->element).kind == ElementKind::kSigned || number->element == Element::k_uint64) {
        result = b.emit(ir::Op::k_int_not, {number->value});
    } else {
        int64_t all = (int64_t{1} << (8 * info(number->element).bytes)) - 1;
        result = b.emit(ir::Op::k_int_xor, {number->value, b.constInt(all)});
    }
    finishCall(b, in, 1, scalarOf(b, number->element, result));
    return true;
}

bool scalarNegative(RegionBuilder& b, const BytecodeInstruction& in) {
    std::optional<NumPyNumber> number = topScalar(b, in);
    if (!number || number->kind == Kind::kBool) {
        return false;
    }
    Id result;
    if (number->kind == Kind::kFloat) {
        result = b.emit(ir::Op::k_float_neg, {number->value});
    } else {
        result = b.emitExiting(ir::Op::k_int_neg, {number->value}, ExitReason::k_flag);
        guardFits(b, result, number->element);
    }
    finishCall(b, in, 1, scalarOf(b, number->element, result));
    return true;
}

}  // namespace kiln
