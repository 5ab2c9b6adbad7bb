// Loops over dicts, their views, sets and strings: CPython's iterator moves on by a helper, and an item of a dict is two values, not a
// tuple, unless somebody wants one.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool plainIterator(RegionBuilder& b, const BytecodeInstruction& in);
bool plainForIter(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
