// Strip-mining: innermost loops over elements of arrays get a copy for many rounds at once, which LLVM can vectorise.
#pragma once

#include <cstdint>

#include "jit/ir/region.h"

namespace kiln::passes {

// Gives each counted loop that works on elements of arrays a strip: a copy of its body that runs up to kStripRounds rounds without
// polls and exits. Checks of indices are made for all of its rounds before, others are deferred to its end; where one fails, what the
// strip stored is put back, and the loop itself does these rounds, exactly. It also does a round between two strips, with its
// poll. No snapshot is added or changed. For thorough code, behind all other passes. Returns whether there is a strip.
// A strip of fewer than `fewestRounds` does not begin. `marks` is the address of stripMarks(); without it no strip that may fail stores
// in some of its rounds only.
bool formStrips(ir::Region& region, int64_t fewestRounds, int64_t marks = 0);
// False when the region has no counted loop over elements: then it need not be copied for it.
bool mayFormStrips(const ir::Region& region);

}  // namespace kiln::passes
