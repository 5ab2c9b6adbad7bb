// Loops over the elements of arrays of one dimension, and over the rows of others, for which CPython makes an iterator of any sequence.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// An array of known layout whose items a loop may take one by one.
bool isArrayToIterate(const AbstractValue& value);
// Takes the iterator `object` of the live frame in; fills in the values.
void enterArrayIterator(RegionBuilder& b, Id object, AbstractValue& value);
// Is there another item? Then advanceArray() gives it, as a scalar or a view, and moves on. Where foreign code has run the array is guarded anew.
Id arrayHasNext(RegionBuilder& b, AbstractValue& iterator);
AbstractValue advanceArray(RegionBuilder& b, AbstractValue& iterator);

}  // namespace kiln
