// Removal of blocks: those that stay get new ids.
#pragma once

#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

// Keeps the blocks that `kept` names, by id; none of them may go on to one that goes. Returns whether any went.
bool keepBlocks(ir::Region& region, const std::vector<bool>& kept);

}  // namespace kiln::passes
