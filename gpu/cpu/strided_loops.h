// Loops in which neighbouring threads go through neighbouring elements: `for i in range(cuda.grid(1), n, cuda.gridsize(1))`.
#pragma once

#include <unordered_set>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Counted loops, in no other loop, that begin at what depends on threadIdx.x and take steps that do not, and are not 1. A thread after
// another would go through memory once each; a pass of all threads after another goes through it once. Only loops that do little beside.
std::unordered_set<const Instruction*> stridedLoops(const Function& function);

}  // namespace kiln::gpu
