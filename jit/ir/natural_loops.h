// The loops of a region: a header, and what comes back to it.
#pragma once

#include <vector>

#include "jit/ir/dominators.h"
#include "jit/ir/region.h"

namespace kiln::ir {

struct NaturalLoop {
    BlockId header = kNoId;
    std::vector<BlockId> blocks;  // the header first
};

// One for each header, those of loops around before those inside.
std::vector<NaturalLoop> findNaturalLoops(const Region& region, const Dominators& dominators);

}  // namespace kiln::ir
