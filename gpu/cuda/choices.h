// Which `if`s are written as an expression: those that choose the value of a variable which the next instruction reads, and nobody else.
#pragma once

#include <set>
#include <vector>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// `a and b`, `x if c else y`: in CUDA C++ as one expression the compiler makes better code of them, and people read them.
class ChoicePlan {
public:
    // `uses`: how often each value is used.
    ChoicePlan(const Function& function, const std::vector<uint32_t>& uses);
    bool isChoice(const Instruction& instruction) const { return choices_.count(&instruction) > 0; }
    // Whether the variable is only such a choice's.
    bool isChosen(uint32_t variable) const { return isChosen_[variable]; }

private:
    void find(const Block& block);
    bool match(const Block& block, size_t at);
    bool isArm(const Block& block, uint32_t variable);

    const Function& function_;
    const std::vector<uint32_t>& uses_;
    std::set<const Instruction*> choices_;
    std::vector<bool> isChosen_;
};

}  // namespace kiln::gpu
