// GET_ITER and FOR_ITER: ranges, lists, tuples, enumerate and zip advance natively; other iterators by tp_iternext.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// An iterator that a loop is entered with: guards that `object` is what `value` says, and fills in its parts.
void enterRangeIterator(RegionBuilder& b, Id object, AbstractValue& value);
void enterEnumerate(RegionBuilder& b, Id object, AbstractValue& value);
void enterZip(RegionBuilder& b, Id object, AbstractValue& value);
void enterListIterator(RegionBuilder& b, Id object, AbstractValue& value);
// The region advances an iterator in registers: nobody else may hold it.
void guardUnshared(RegionBuilder& b, Id object);
// A virtual iterator over the value, which is consumed; Kind::kNull when there is none.
AbstractValue virtualIterator(RegionBuilder& b, const AbstractValue& value);
// Pushes the item. Object parts of a tuple (enumerate, zip) are narrowed by class as they are unpacked.
void finishIteration(RegionBuilder& b, const BytecodeInstruction& in, AbstractValue item);
// It exists as its parts only.
bool isVirtualIterator(const AbstractValue& value);

}  // namespace kiln
