// Views of NumPy's arrays that exist as numbers only (Kind::kView): where their elements lie, and how many there are. So rows, and
// slices of the first axis, need no object until somebody asks for one.
#pragma once

#include <vector>

#include "jit/frontend/numpy_values.h"

namespace kiln {

// The entry as what an integer index for each of its first dimensions gives; `positions` are in range, and fewer than its dimensions.
AbstractValue rowView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const std::vector<Id>& positions);
// The entry from `start` to `stop` of its first axis, by Python's rules for slices. kNoId: from the beginning, or to the end.
AbstractValue sliceView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, Id start, Id stop);
// Before foreign code runs, which may ask for objects, or for who holds an array: all views of the state become arrays.
void realizeViews(RegionBuilder& b);

}  // namespace kiln
