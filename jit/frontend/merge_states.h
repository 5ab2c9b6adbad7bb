// Where a place has several versions: which state may share one, and how states that differ become one.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool mergeVersions(RegionBuilder& b, AbstractState& state);

}  // namespace kiln
