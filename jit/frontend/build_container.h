// Lists, tuples, unpacking, and what builds containers.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void takeConstantSequence(RegionBuilder& b, int below);
void pushItems(RegionBuilder& b, Id sequence, int count, bool list);

}  // namespace kiln
