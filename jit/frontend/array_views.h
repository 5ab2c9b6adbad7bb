// Views of NumPy's arrays that exist as numbers only (Kind::kView): where their elements lie, and how many there are. So rows,
// columns and slices need no object until somebody asks for one.
#pragma once

#include <vector>

#include "jit/frontend/numpy_values.h"

namespace kiln {

// What an index says of one dimension: a position that is in range, or a slice. kNoId: a bound that is left out.
struct Selection {
    bool isSlice = false;
    Id position = ir::kNoId;
    Id start = ir::kNoId;
    Id stop = ir::kNoId;
    int64_t step = 1;  // not 0

    static Selection at(Id position) { return {.position = position}; }
    static Selection slice(Id start, Id stop, int64_t step = 1) { return {.isSlice = true, .start = start, .stop = stop, .step = step}; }
};

// The entry as what these give of its first dimensions, by the rules of Python and NumPy for slices; not all are positions.
AbstractValue selectedView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const std::vector<Selection>& selections);
// Before foreign code runs, which may ask for objects, or for who holds an array: all views of the state become arrays.
void realizeViews(RegionBuilder& b);

}  // namespace kiln
