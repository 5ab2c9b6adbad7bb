// What the index of a subscript says of the dimensions of a NumPy array.
#pragma once

#include <optional>
#include <vector>

#include "jit/frontend/array_views.h"

namespace kiln {

struct ArrayIndex {
    std::vector<Selection> selections;  // positions are in range
    bool isElement = false;             // a position for each dimension, and nothing else
};

// Of integers, slices, `...` and None, alone or in a tuple. Leaves where a position is out of range. None where it is something else,
// or gives an array of no dimensions or too many.
std::optional<ArrayIndex> arrayIndex(RegionBuilder& b, const BytecodeInstruction& in, const AbstractValue& index,
                                     const KnownArray& array);
// The slice from `start` to `stop`, in steps of one; likewise.
std::optional<ArrayIndex> arraySlice(RegionBuilder& b, const AbstractValue& start, const AbstractValue& stop);
// The positions of an element.
std::vector<Id> positionsOf(const ArrayIndex& index);

}  // namespace kiln
