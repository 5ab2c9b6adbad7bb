// Floating-point flags: of a chain of operations one check tells whether any of them has to be looked at.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// An infinity or nan that goes into a sum, difference or product comes out of it. So where a block computes a chain of these, only the
// ends of the chain are asked, and only if one is special, the guards of the whole chain run, in their order, on a cold way. An
// underflow, which leaves no trace, needs them too, unless NumPy ignores underflows: loops that wait for no callee ask that once,
// before. Guards that stand between run the chain's first where they fail. No snapshot is added or changed. For thorough code, behind
// the forming of strips. Returns whether something changed.
bool sinkFlagGuards(ir::Region& region);
// False when the region has no such guard: then it need not be copied for it.
bool maySinkFlagGuards(const ir::Region& region);

}  // namespace kiln::passes
