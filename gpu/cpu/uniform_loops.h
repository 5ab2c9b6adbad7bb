// Loops that all threads of a block go through together: `for k in range(n)`, whose bounds are the same for all.
#pragma once

#include <unordered_set>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Innermost counted loops, in no loop but such ones, in whose passes neighbouring threads access the same elements or neighbouring ones.
// A pass of all threads after another can be computed by vectors of threads; a thread after another cannot, where a pass needs
// what the one before computed, as in sums.
std::unordered_set<const Instruction*> uniformLoops(const Function& function);

// Whether vectors of threads can compute the instruction, whatever is in its blocks.
bool isVectorOp(const Instruction& instruction);
// The same of all in its blocks, too, which must be neither loops nor what leaves them.
bool isVectorCode(const Instruction& instruction);

}  // namespace kiln::gpu
