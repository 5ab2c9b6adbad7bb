// Arithmetic: BINARY_OP and the unary operators on numbers; anything else is CPython's.
#include <opcode.h>

#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

// BINARY_OP's in-place operators follow the plain ones.
constexpr int kFirstInplace = NB_INPLACE_ADD;

bool mayOverflow(int operation) {
    return operation == NB_ADD || operation == NB_SUBTRACT || operation == NB_MULTIPLY || operation == NB_POWER ||
           operation == NB_LSHIFT;
}

}  // namespace

bool RegionBuilder::binaryOp(const BytecodeInstruction& in) {
    int operation = in.oparg >= kFirstInplace ? in.oparg - kFirstInplace : in.oparg;
    const AbstractValue& a = top(1);
    const AbstractValue& b = top(0);
    AbstractValue result;
    bool native = false;
    if (oftenRaises(in)) {
        native = false;
    } else if (a.isIntLike() && b.isIntLike()) {
        native = !(siteOf(in).bigInt && mayOverflow(operation)) && intArithmetic(operation, a, b, result);
    } else if (a.isNumber() && b.isNumber()) {
        native = floatArithmetic(operation, a, b, result);
    }
    if (native) {
        finishCall(in, 2, result);
        return true;
    }
    if (appendToLocal(in) || operatorCall(in) || plainBinary(in)) {
        return true;
    }
    Helper helper = in.oparg >= kFirstInplace ? Helper::k_inplace_op : Helper::k_binary_op;
    opaqueInstruction(in, helper, 2, OpaqueResult::kObject, "BINARY_OP", {operation});
    return true;
}

bool RegionBuilder::intArithmetic(int operation, const AbstractValue& a, const AbstractValue& b, AbstractValue& result) {
    if (a.isBool() && b.isBool()) {
        ir::Op bitwise = operation == NB_AND ? ir::Op::k_bool_and
                         : operation == NB_OR ? ir::Op::k_bool_or
                                              : ir::Op::k_bool_xor;
        if (operation == NB_AND || operation == NB_OR || operation == NB_XOR) {
            result = AbstractValue::number(Kind::kBool, emit(bitwise, {a.value, b.value}));
            return true;
        }
    }
    Id x = asInt(a);
    Id y = asInt(b);
    auto number = [&](Id value) { result = AbstractValue::number(Kind::kInt, value); };
    switch (operation) {
        case NB_ADD: number(emitExiting(ir::Op::k_int_add, {x, y}, ExitReason::k_overflow)); return true;
        case NB_SUBTRACT: number(emitExiting(ir::Op::k_int_sub, {x, y}, ExitReason::k_overflow)); return true;
        case NB_MULTIPLY: number(emitExiting(ir::Op::k_int_mul, {x, y}, ExitReason::k_overflow)); return true;
        case NB_FLOOR_DIVIDE: number(emitExiting(ir::Op::k_int_floordiv, {x, y}, ExitReason::k_domain)); return true;
        case NB_REMAINDER: number(emitExiting(ir::Op::k_int_mod, {x, y}, ExitReason::k_domain)); return true;
        case NB_LSHIFT: number(emitExiting(ir::Op::k_int_shl, {x, y}, ExitReason::k_overflow)); return true;
        case NB_RSHIFT: number(emitExiting(ir::Op::k_int_shr, {x, y}, ExitReason::k_domain)); return true;
        case NB_AND: number(emit(ir::Op::k_int_and, {x, y})); return true;
        case NB_OR: number(emit(ir::Op::k_int_or, {x, y})); return true;
        case NB_XOR: number(emit(ir::Op::k_int_xor, {x, y})); return true;
        case NB_TRUE_DIVIDE:
            result = AbstractValue::number(Kind::kFloat, emitExiting(ir::Op::k_int_truediv, {x, y}, ExitReason::k_domain));
            return true;
        case NB_POWER: {
            emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ge, {y, constInt(0)})}, ExitReason::k_type);
            number(emitExiting(ir::Op::k_int_pow, {x, y}, ExitReason::k_overflow));
            return true;
        }
        default: return false;
    }
}

bool RegionBuilder::floatArithmetic(int operation, const AbstractValue& a, const AbstractValue& b, AbstractValue& result) {
    static constexpr int kNative[] = {NB_ADD, NB_SUBTRACT, NB_MULTIPLY, NB_TRUE_DIVIDE, NB_FLOOR_DIVIDE, NB_REMAINDER, NB_POWER};
    bool known = false;
    for (int native : kNative) {
        known = known || native == operation;
    }
    if (!known) {
        return false;
    }
    Id x = asFloat(a);
    Id y = asFloat(b);
    auto number = [&](Id value) { result = AbstractValue::number(Kind::kFloat, value); };
    switch (operation) {
        case NB_ADD: number(emit(ir::Op::k_float_add, {x, y})); break;
        case NB_SUBTRACT: number(emit(ir::Op::k_float_sub, {x, y})); break;
        case NB_MULTIPLY: number(emit(ir::Op::k_float_mul, {x, y})); break;
        case NB_TRUE_DIVIDE: number(emitExiting(ir::Op::k_float_div, {x, y}, ExitReason::k_domain)); break;
        case NB_FLOOR_DIVIDE: number(emitExiting(ir::Op::k_float_floordiv, {x, y}, ExitReason::k_domain)); break;
        case NB_REMAINDER: number(emitExiting(ir::Op::k_float_mod, {x, y}, ExitReason::k_domain)); break;
        default: number(emitExiting(ir::Op::k_float_pow, {x, y}, ExitReason::k_domain)); break;
    }
    return true;
}

bool RegionBuilder::unaryOp(const BytecodeInstruction& in) {
    AbstractValue value = top();
    AbstractValue result;
    if (in.opcode == UNARY_NOT) {
        knowBuiltin(in, 0, siteOf(in).receivers);
        value = top();
        Id condition = truth(value);
        if (condition == ir::kNoId) {
            return truthThroughHelper(in, true);
        }
        result = AbstractValue::number(Kind::kBool, emit(ir::Op::k_bool_not, {condition}));
    } else if (in.opcode == UNARY_NEGATIVE && value.isFloat()) {
        result = AbstractValue::number(Kind::kFloat, emit(ir::Op::k_float_neg, {value.value}));
    } else if (in.opcode == UNARY_NEGATIVE && value.isIntLike() && !siteOf(in).bigInt) {
        result = AbstractValue::number(Kind::kInt, emitExiting(ir::Op::k_int_neg, {asInt(value)}, ExitReason::k_overflow));
    } else if (in.opcode == UNARY_INVERT && value.isInt()) {
        result = AbstractValue::number(Kind::kInt, emit(ir::Op::k_int_not, {value.value}));
    } else if (in.opcode == CALL_INTRINSIC_1 && in.oparg == 5 /* UNARY_POSITIVE */ && (value.isFloat() || value.isInt())) {
        state_.frame().unit = in.next;  // the very object
        return true;
    } else if (in.opcode == CALL_INTRINSIC_1) {
        return in.oparg == 6 /* LIST_TO_TUPLE */ && listToTuple(in);
    } else {
        opaqueInstruction(in, Helper::k_unary_op, 1, OpaqueResult::kObject, "UNARY_OP", {in.opcode});
        return true;
    }
    finishCall(in, 1, result);
    return true;
}

}  // namespace kiln
