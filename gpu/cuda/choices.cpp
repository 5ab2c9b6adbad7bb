// Which `if`s are written as an expression.
#include "gpu/cuda/choices.h"

namespace kiln::gpu {
namespace {

bool mayBeRepeated(Op op) {
    return op == Op::kConstant || op == Op::kParameter || op == Op::kGet || op == Op::kThreadIndex ||
           op == Op::kBlockIndex || op == Op::kBlockDim || op == Op::kGridDim;
}

}  // namespace

// A variable that has other uses is no choice's; without it, others that depend on it may be none either.
ChoicePlan::ChoicePlan(const Function& function, const std::vector<uint32_t>& uses)
    : function_(function), uses_(uses), isChosen_(function.variables.size(), true) {
    std::vector<int> all(function.variables.size());
    forEach(function.body, [&](const Instruction& instruction) {
        if (instruction.op == Op::kGet || instruction.op == Op::kSet) {
            all[instruction.index]++;
        } else if (instruction.op == Op::kFor) {
            isChosen_[instruction.index] = false;
        }
    });
    for (bool changed = true; changed;) {
        changed = false;
        choices_.clear();
        find(function.body);
        std::vector<int> known(function.variables.size());
        for (const Instruction* choice : choices_) {
            known[choice->blocks[0]->code.back().index] += 3;  // an assignment on each path, and the reading
        }
        for (size_t i = 0; i < known.size(); i++) {
            changed = changed || (isChosen_[i] && known[i] != all[i]);
            isChosen_[i] = isChosen_[i] && known[i] == all[i];
        }
    }
}

void ChoicePlan::find(const Block& block) {
    for (size_t i = 0; i < block.code.size(); i++) {
        for (const auto& nested : block.code[i].blocks) {
            find(*nested);
        }
        match(block, i);
    }
}

bool ChoicePlan::match(const Block& block, size_t at) {
    const Instruction& choice = block.code[at];
    bool isRead = choice.op == Op::kIf && at + 1 < block.code.size() && block.code[at + 1].op == Op::kGet;
    uint32_t variable = isRead ? block.code[at + 1].index : 0;
    if (!isRead || !isChosen_[variable] || !function_.variables[variable].type->isScalar()) {
        return false;
    }
    bool isOne = isArm(*choice.blocks[0], variable) && isArm(*choice.blocks[1], variable);
    if (isOne) {
        choices_.insert(&choice);
    }
    return isOne;
}

// What computes a value in one expression, and assigns it.
bool ChoicePlan::isArm(const Block& block, uint32_t variable) {
    if (block.code.empty() || block.code.back().op != Op::kSet || block.code.back().index != variable) {
        return false;
    }
    for (size_t i = 0; i + 1 < block.code.size(); i++) {
        const Instruction& part = block.code[i];
        if (part.op == Op::kIf) {
            if (!match(block, i) || uses_[block.code[i + 1].result] != 1) {
                return false;
            }
            i++;
            continue;
        }
        Effect effect = opInfo(part.op).effect;
        bool isSimple = (effect == Effect::kPure || effect == Effect::kRead) && part.result != kNoValue;
        if (!isSimple || (uses_[part.result] != 1 && !mayBeRepeated(part.op))) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln::gpu
