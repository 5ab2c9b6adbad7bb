// Builtins of sequences: len, sum, range, enumerate, zip.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Of a virtual range.
Id rangeLength(RegionBuilder& b, const AbstractValue& range);

}  // namespace kiln
