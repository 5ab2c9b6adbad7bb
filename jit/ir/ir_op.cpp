// Small questions about the op table.
#include "jit/ir/ir_op.h"

namespace kiln::ir {

Type typeOfLetter(char letter) {
    switch (letter) {
    case 'i': return Type::kInt;
    case 'f': return Type::kFloat;
    case 'b': return Type::kBool;
    case 'o': return Type::kObject;
    default:  // '-' and '*': the table names no type
        return Type::kNone;
    }
}

char letterOfType(Type type) {
    constexpr char kLetters[] = {'-', 'i', 'f', 'b', 'o'};
    return kLetters[static_cast<int>(type)];
}

bool namesSnapshot(Op op) {
    const Effect effect = info(op).effect;
    return effect == Effect::kGuard || effect == Effect::kOpaque || effect == Effect::kState || effect == Effect::kStore ||
           op == Op::k_exit;
}

bool isOfStrips(Op op) {
    switch (op) {
    case Op::k_exact_rounds:
    case Op::k_set_exact_rounds:
    case Op::k_begin_strip:
    case Op::k_underflow_ignored:
    case Op::k_strip_failed:
    case Op::k_save_elements:
    case Op::k_restore_elements: return true;
    default: return false;
    }
}

bool isDeferrable(Op op) {
    switch (op) {
    case Op::k_guard_true:
    case Op::k_guard_false:
    case Op::k_guard_exact:
    case Op::k_guard_array:
    case Op::k_guard_fits:
    case Op::k_guard_no_flag:
    case Op::k_int_add:
    case Op::k_int_sub:
    case Op::k_int_mul:
    case Op::k_int_neg:
    case Op::k_int_shl:
    case Op::k_int_floordiv:
    case Op::k_int_mod:
    case Op::k_float_to_int:
    case Op::k_float_div:
    case Op::k_float_pow:
    case Op::k_math_unary:
    case Op::k_math_binary:
    case Op::k_numpy_unary:
    case Op::k_numpy_binary: return true;
    default: return false;
    }
}

}  // namespace kiln::ir
