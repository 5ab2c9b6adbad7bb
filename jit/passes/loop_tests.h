// Loops that are tested at their end.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// Gives the test of `while i < n` a block of its own, which strips have for a header: CPython repeats it behind the body, where it
// follows the sum. True when the region has changed.
bool splitLoopTests(ir::Region& region);

}  // namespace kiln::passes
