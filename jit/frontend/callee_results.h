// Returns of inlined callees: what their callers get of the results (ir/result_uses.def).
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The innermost frame returns the top entry to its caller. False, with nothing changed, where the interpreter must do it.
bool returnToCaller(RegionBuilder& b);
// The innermost frame, that of a __next__, raises the top entry. If that is StopIteration, and nothing there handles it, the loop ends, and
// nobody sees an exception; else false.
bool endIteration(RegionBuilder& b);
// A returning frame gives up its locals in order.
void dropFrameSlots(RegionBuilder& b);

}  // namespace kiln
