// Parameters of blocks that are another value on each way into the block.
#pragma once

#include <vector>

#include "jit/ir/grouped.h"
#include "jit/ir/region.h"

namespace kiln::passes {

// The edges into each block.
ir::Grouped<const ir::Target*> findIncoming(const ir::Region& region);
// Removes the parameters that are marked, by ValueId, with the arguments they get. Returns whether there were any.
bool eraseParameters(ir::Region& region, const std::vector<bool>& marked);
// Removes what always gets one value, or the same as another parameter of its block. All blocks must be reachable.
bool removeRedundantParameters(ir::Region& region);

}  // namespace kiln::passes
