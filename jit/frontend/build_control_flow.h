// Jumps, loops' back-edges, and returns.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void dropAll(RegionBuilder& b);

}  // namespace kiln
