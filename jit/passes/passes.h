// The passes over the region IR. Each takes a well-formed region, leaves one that means the same, and returns whether
// it changed anything. Block ids may change; the ids of values and snapshots that stay do not. Snapshots may be added:
// copies that differ only in what they own, of the same place.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

#define KILN_PASS(function, name, reason) bool function(ir::Region& region);
#include "jit/passes/passes.def"
#undef KILN_PASS

}  // namespace kiln::passes
