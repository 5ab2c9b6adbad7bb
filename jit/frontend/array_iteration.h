// Loops over the elements of arrays of one dimension, for which CPython makes an iterator of any sequence.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Takes the iterator `object` of the live frame in; fills in the values.
void enterArrayIterator(RegionBuilder& b, Id object, AbstractValue& value);
// Is there another element? Then advanceArray() gives it, as a scalar, and moves on. Where foreign code has run the array is guarded anew.
Id arrayHasNext(RegionBuilder& b, AbstractValue& iterator);
AbstractValue advanceArray(RegionBuilder& b, AbstractValue& iterator);

}  // namespace kiln
