// Where elements of NumPy's arrays lie, reading them, and what they become by what is stored.
#pragma once

#include <optional>
#include <vector>

#include "jit/frontend/numpy_values.h"

namespace kiln {

// Bytes from the array's first element to that at `positions`, one for each dimension, which are in range.
Id elementOffset(RegionBuilder& b, const KnownArray& array, const std::vector<Id>& positions);
// The element as a scalar.
AbstractValue loadElement(RegionBuilder& b, const KnownArray& array, Id offset);

// A float, an int, or two floats.
struct StoredElement {
    Id value = ir::kNoId;
    Id imag = ir::kNoId;
};
// What such an element becomes by the entry. None where only NumPy knows. May leave.
std::optional<StoredElement> storedElement(RegionBuilder& b, Element element, const AbstractValue& value);

}  // namespace kiln
