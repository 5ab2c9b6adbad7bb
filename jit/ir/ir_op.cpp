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

}  // namespace kiln::ir
