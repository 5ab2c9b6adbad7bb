// Strips over elements of a few places in a row: pixels, points.
#pragma once

#include "jit/ir/region.h"
#include "jit/passes/strip_blocks.h"

namespace kiln::passes {

// A strip that takes each of the first two to four elements of a dimension by number, as in a[y, x, 0], a[y, x, 1], a[y, x, 2], gets a second
// version of its rounds for where the dimension has no more than these. There the step between two rounds is a constant, without which LLVM
// vectorises nothing (loop versioning). Changes nothing where what rounds compute is wanted behind the strip.
void versionStrip(ir::Region& region, const StripBlocks& strip);

}  // namespace kiln::passes
