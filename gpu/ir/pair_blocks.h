// Two blocks in one: a form of a kernel whose threads each do what the threads of two neighbouring blocks do.
#pragma once

#include <memory>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// A thread of a block is one of two of the program's, whose steps it takes by turns, so that their loads are under way together; launched with half
// the blocks along x, and with an even number of them only. For kernels that read and store elements without loops, in which no thread waits for
// another or learns what another did: the order of their threads is anybody's. nullptr for other kernels, and where it
// gains nothing: where a thread computes functions, has much under way by itself, or is far from its neighbours in memory.
std::unique_ptr<Function> pairBlocks(const Module& module);

}  // namespace kiln::gpu
