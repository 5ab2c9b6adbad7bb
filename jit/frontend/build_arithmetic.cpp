// Arithmetic: BINARY_OP and the unary operators on numbers; anything else is CPython's.
#include "jit/frontend/build_arithmetic.h"

#include <opcode.h>

#include <algorithm>

#include "jit/frontend/build_call.h"
#include "jit/frontend/build_compare.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_operators.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/build_spread_calls.h"
#include "jit/frontend/build_string_append.h"
#include "jit/frontend/complex_values.h"
#include "jit/frontend/number_operands.h"
#include "jit/frontend/numpy_arithmetic.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// BINARY_OP's in-place operators follow the plain ones.
constexpr int kFirstInplace = NB_INPLACE_ADD;

bool mayOverflow(int operation) {
    return operation == NB_ADD || operation == NB_SUBTRACT || operation == NB_MULTIPLY || operation == NB_POWER ||
           operation == NB_LSHIFT;
}

}  // namespace

bool binaryOp(RegionBuilder& b, const BytecodeInstruction& in) {
    int operation = in.oparg >= kFirstInplace ? in.oparg - kFirstInplace : in.oparg;
    if (!oftenRaises(b, in)) {
        tellNumbers(b, in, binaryOp);
    }
    const AbstractValue& left = b.top(1);
    const AbstractValue& right = b.top(0);
    AbstractValue result;
    bool native = false;
    if (oftenRaises(b, in)) {
        native = false;
    } else if (left.isIntLike() && right.isIntLike()) {
        native = !(b.siteOf(in).bigInt && mayOverflow(operation)) && intArithmetic(b, operation, left, right, result);
    } else if (left.isNumber() && right.isNumber()) {
        native = floatArithmetic(b, operation, left, right, result);
    }
    if (native) {
        finishCall(b, in, 2, result);
        return true;
    }
    bool isComplex = !oftenRaises(b, in) && complexBinary(b, in, operation);
    if (isComplex || scalarBinary(b, in, operation) || complexScalarBinary(b, in, operation) || appendToLocal(b, in) || operatorCall(b, in) || plainBinary(b, in)) {
        return true;
    }
    Helper helper = in.oparg >= kFirstInplace ? Helper::k_inplace_op : Helper::k_binary_op;
    opaqueInstruction(b, in, helper, 2, OpaqueResult::kObject, "BINARY_OP", {operation});
    return true;
}

namespace {

constexpr int64_t kMostPlaces = 63;

// By a number of places that is known it is a product, which more is known of.
Id shiftedLeft(RegionBuilder& b, Id x, Id places) {
    std::optional<int64_t> known = b.knownInt(places);
    if (known && *known >= 0 && *known < kMostPlaces) {
        return b.emitExiting(ir::Op::k_int_mul, {x, b.constInt(int64_t{1} << *known)}, ExitReason::k_overflow);
    }
    return b.emitExiting(ir::Op::k_int_shl, {x, places}, ExitReason::k_overflow);
}

Id shiftedRight(RegionBuilder& b, Id x, Id places) {
    std::optional<int64_t> known = b.knownInt(places);
    if (known && *known >= 0) {
        return b.emit(ir::Op::k_int_shr, {x, b.constInt(std::min(*known, kMostPlaces))});
    }
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ge, {places, b.constInt(0)})}, ExitReason::k_domain);
    return b.emit(ir::Op::k_int_shr, {x, b.emit(ir::Op::k_int_min, {places, b.constInt(kMostPlaces)})});
}

}  // namespace

bool intArithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                   AbstractValue& result) {
    if (left.isBool() && right.isBool()) {
        ir::Op bitwise = operation == NB_AND ? ir::Op::k_bool_and
                         : operation == NB_OR ? ir::Op::k_bool_or
                                              : ir::Op::k_bool_xor;
        if (operation == NB_AND || operation == NB_OR || operation == NB_XOR) {
            result = AbstractValue::number(Kind::kBool, b.emit(bitwise, {left.value, right.value}));
            return true;
        }
    }
    Id x = asInt(b, left);
    Id y = asInt(b, right);
    auto number = [&](Id value) { result = AbstractValue::number(Kind::kInt, value); };
    switch (operation) {
        case NB_ADD: number(b.emitExiting(ir::Op::k_int_add, {x, y}, ExitReason::k_overflow)); return true;
        case NB_SUBTRACT: number(b.emitExiting(ir::Op::k_int_sub, {x, y}, ExitReason::k_overflow)); return true;
        case NB_MULTIPLY: number(b.emitExiting(ir::Op::k_int_mul, {x, y}, ExitReason::k_overflow)); return true;
        case NB_FLOOR_DIVIDE: number(b.emitExiting(ir::Op::k_int_floordiv, {x, y}, ExitReason::k_domain)); return true;
        case NB_REMAINDER: number(b.emitExiting(ir::Op::k_int_mod, {x, y}, ExitReason::k_domain)); return true;
        case NB_LSHIFT: number(shiftedLeft(b, x, y)); return true;
        case NB_RSHIFT: number(shiftedRight(b, x, y)); return true;
        case NB_AND: number(b.emit(ir::Op::k_int_and, {x, y})); return true;
        case NB_OR: number(b.emit(ir::Op::k_int_or, {x, y})); return true;
        case NB_XOR: number(b.emit(ir::Op::k_int_xor, {x, y})); return true;
        case NB_TRUE_DIVIDE:
            result =
                AbstractValue::number(Kind::kFloat, b.emitExiting(ir::Op::k_int_truediv, {x, y}, ExitReason::k_domain));
            return true;
        case NB_POWER: {
            if (b.knownInt(y) == 2) {
                number(b.emitExiting(ir::Op::k_int_mul, {x, x}, ExitReason::k_overflow));
                return true;
            }
            b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ge, {y, b.constInt(0)})}, ExitReason::k_type);
            number(b.emitExiting(ir::Op::k_int_pow, {x, y}, ExitReason::k_overflow));
            return true;
        }
        default: return false;
    }
}

bool floatArithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                     AbstractValue& result) {
    static constexpr int kNative[] = {NB_ADD, NB_SUBTRACT, NB_MULTIPLY, NB_TRUE_DIVIDE, NB_FLOOR_DIVIDE, NB_REMAINDER, NB_POWER};
    bool known = false;
    for (int native : kNative) {
        known = known || native == operation;
    }
    if (!known) {
        return false;
    }
    Id x = asFloat(b, left);
    Id y = asFloat(b, right);
    auto number = [&](Id value) { result = AbstractValue::number(Kind::kFloat, value); };
    switch (operation) {
        case NB_ADD: number(b.emit(ir::Op::k_float_add, {x, y})); break;
        case NB_SUBTRACT: number(b.emit(ir::Op::k_float_sub, {x, y})); break;
        case NB_MULTIPLY: number(b.emit(ir::Op::k_float_mul, {x, y})); break;
        case NB_TRUE_DIVIDE: number(b.emitExiting(ir::Op::k_float_div, {x, y}, ExitReason::k_domain)); break;
        case NB_FLOOR_DIVIDE: number(b.emitExiting(ir::Op::k_float_floordiv, {x, y}, ExitReason::k_domain)); break;
        case NB_REMAINDER: number(b.emitExiting(ir::Op::k_float_mod, {x, y}, ExitReason::k_domain)); break;
        default: number(b.emitExiting(ir::Op::k_float_pow, {x, y}, ExitReason::k_domain)); break;
    }
    return true;
}

bool unaryOp(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractValue value = b.top();
    AbstractValue result;
    if (in.opcode == UNARY_NOT) {
        knowBuiltin(b, in, 0, b.siteOf(in).receivers);
        value = b.top();
        Id condition = truth(b, value);
        if (condition == ir::kNoId && truthCall(b, in)) {
            return true;
        }
        condition = condition == ir::kNoId ? plainTruth(b, in) : condition;
        if (condition == ir::kNoId) {
            return truthThroughHelper(b, in, true);
        }
        value = b.top();
        result = AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_bool_not, {condition}));
    } else if (in.opcode == UNARY_NEGATIVE && value.isFloat()) {
        result = AbstractValue::number(Kind::kFloat, b.emit(ir::Op::k_float_neg, {value.value}));
    } else if (in.opcode == UNARY_NEGATIVE && value.isIntLike() && !b.siteOf(in).bigInt) {
        result = AbstractValue::number(Kind::kInt,
                                       b.emitExiting(ir::Op::k_int_neg, {asInt(b, value)}, ExitReason::k_overflow));
    } else if (in.opcode == UNARY_INVERT && value.isInt()) {
        result = AbstractValue::number(Kind::kInt, b.emit(ir::Op::k_int_not, {value.value}));
    } else if (in.opcode == UNARY_INVERT && scalarInvert(b, in)) {
        return true;
    } else if (in.opcode == UNARY_NEGATIVE && (scalarNegative(b, in) || complexNegative(b, in))) {
        return true;
    } else if (in.opcode == CALL_INTRINSIC_1 && in.oparg == 5 /* UNARY_POSITIVE */ && (value.isFloat() || value.isInt())) {
        b.state().frame().unit = in.next;  // the very object
        return true;
    } else if (in.opcode == CALL_INTRINSIC_1) {
        return in.oparg == 6 /* LIST_TO_TUPLE */ && listToTuple(b, in);
    } else {
        opaqueInstruction(b, in, Helper::k_unary_op, 1, OpaqueResult::kObject, "UNARY_OP", {in.opcode});
        return true;
    }
    finishCall(b, in, 1, result);
    return true;
}

}  // namespace kiln
