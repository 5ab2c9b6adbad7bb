// For quick code, which does what stands in a loop in each round; LLVM sees by itself what it need not.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// Computes before a loop what is the same in all its rounds: constants, arithmetic of ints, what an array's head says. Values keep
// their ids, so that the snapshots are what they were. Returns whether anything was moved.
bool hoistInvariants(ir::Region& region);

}  // namespace kiln::passes
