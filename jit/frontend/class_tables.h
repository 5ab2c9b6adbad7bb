// The hash tables of dicts and sets: iteration, for which CPython's iterator moves on by a helper, and items of dicts.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The top entry, whose class is known, is replaced by its iterator, of class `iterator`; nullptr when that is not known.
void pushTableIterator(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* iterator);
// Moves the iterator on the top: gives the address of the entry. Where there is none the loop ends. Nothing leaves with the state
// before from then on.
Id nextEntry(RegionBuilder& b, const BytecodeInstruction& in);
// Borrowed from the table.
AbstractValue loadFromEntry(RegionBuilder& b, Id entry, int64_t offset);
// [dict, key]: the item, borrowed; NULL where it is not there, or only CPython can tell. `number`: the key where it is an int, else kNoId.
Id findInDict(RegionBuilder& b, Id number);

}  // namespace kiln
