// Where elements of NumPy's arrays lie, and reading them.
#pragma once

#include <vector>

#include "jit/frontend/numpy_values.h"

namespace kiln {

// Bytes from the array's first element to that at `positions`, one for each dimension, which are in range.
Id elementOffset(RegionBuilder& b, const KnownArray& array, const std::vector<Id>& positions);
// The element as a scalar.
AbstractValue loadElement(RegionBuilder& b, const KnownArray& array, Id offset);

}  // namespace kiln
