// Loops however they are entered: a block that several states share lets control into the midst of one.
#pragma once

#include <vector>

#include "jit/ir/region.h"

namespace kiln::ir {

// Blocks that can all reach each other. `header` is the first of them in reverse postorder: of a natural loop, its header.
struct Cycle {
    BlockId header = kNoId;
    std::vector<BlockId> blocks;
};

// Also those that remain within one without its header. Unreachable blocks are in none.
std::vector<Cycle> findCycles(const Region& region);

}  // namespace kiln::ir
