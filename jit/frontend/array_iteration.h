// Loops over the elements of arrays of one dimension, and over the rows of others, for which CPython makes an iterator of any sequence.
#pragma once

#include "jit/frontend/numpy_values.h"

namespace kiln {

// An array of known layout whose items a loop may take one by one.
bool isArrayToIterate(const AbstractValue& value);
// The item at a position that is in range, of an entry that is such an array: an element or a row.
AbstractValue arrayItemAt(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, Id position);
// Takes the iterator `object` of the live frame in; fills in the values.
void enterArrayIterator(RegionBuilder& b, Id object, AbstractValue& value);
// Is there another item? Then advanceArray() gives it, as a scalar or a view, and moves on. Where foreign code has run the array is guarded anew.
Id arrayHasNext(RegionBuilder& b, AbstractValue& iterator);
AbstractValue advanceArray(RegionBuilder& b, AbstractValue& iterator);

}  // namespace kiln
