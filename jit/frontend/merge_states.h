// Where a place has several versions: which state may share one, and how states that differ become one.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Before a version is made for the builder's state: makes it one that exists, or the join with one. False when there can be no other.
bool mergeVersions(RegionBuilder& b);

}  // namespace kiln
