// Checks of indices that need not be made in each round, in thorough code only.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// Whether there is anything for the three below.
bool maySettleChecks(const ir::Region& region);
// Asks for lengths, strides and addresses of arrays where the array's head is known first, not in the loops behind it.
bool hoistArrayParts(ir::Region& region);
// Takes away guards of indices that are known to pass, as the index is the counter of a loop that ends at the length, and choices
// whose condition is known, as that of an index which may be negative. Behind the pass that forms strips: these go on behind guards
// that failed, and so need each check of an index.
bool settleChecks(ir::Region& region);
// Of a guard in a loop that would be known to pass if some numbers from before all loops were known to be as they mostly are
// (`rows <= len(a)`): asks for these there, once. Where they are so, the loop does not make the check. Of other indices, a loop looks
// where they count from the end only when they are no positions as they are. Behind the pass that forms
// strips, which knows no such blocks, and the one that sinks guards of flags.
bool askChecksBefore(ir::Region& region);

}  // namespace kiln::passes
