// Lists, tuples, unpacking, and what builds containers.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// A Python index into 0 <= index < length; a negative one counts from the end. Leaves when out of range.
Id normalizedIndex(RegionBuilder& b, Id index, Id length);
// A list, tuple, bytearray or array that is a constant, such as a global, is worked on like any other.
void takeConstantSequence(RegionBuilder& b, int below);
// Guards that the top entry is of the class observed, when that was always list, or always tuple.
void knowSequence(RegionBuilder& b, const ClassSet& classes);
// Of so many entries from `below` the top on: what is nested deeper than a virtual container may hold it, or moves on, becomes real.
void flattenItems(RegionBuilder& b, int below, int size);
// A virtual tuple, slice or list of the top entries. Nested deeper than twice, or longer than can be followed, it becomes real.
void buildItems(RegionBuilder& b, Kind kind, int size);
// Unpacks any iterable by CPython: after `counts` the helper takes the iterable, and gives a tuple of so many items.
bool opaqueUnpack(RegionBuilder& b, const BytecodeInstruction& in, const char* name, Helper helper, std::initializer_list<int64_t> counts, int items);
// Leaves unless a list or tuple has so many items.
void guardLength(RegionBuilder& b, Id sequence, int64_t count, ExitReason reason);
// The items of a list or tuple as owned entries, the first on top.
void pushItems(RegionBuilder& b, Id sequence, int count, bool list);
// An exact list or tuple that is an entry no more, and whose items somebody else holds.
void giveUpUnpacked(RegionBuilder& b, AbstractValue sequence);

}  // namespace kiln
