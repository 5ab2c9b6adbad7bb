// Jumps, loops' back-edges, and returns.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Everything that the root function still holds, after its frame.
void dropAll(RegionBuilder& b);

}  // namespace kiln
