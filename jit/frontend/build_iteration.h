// GET_ITER and FOR_ITER: ranges, lists, tuples, enumerate and zip advance natively; other iterators by tp_iternext.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void enterRangeIterator(RegionBuilder& b, Id object, AbstractValue& value);
void enterEnumerate(RegionBuilder& b, Id object, AbstractValue& value);
void enterZip(RegionBuilder& b, Id object, AbstractValue& value);
void enterListIterator(RegionBuilder& b, Id object, AbstractValue& value);
AbstractValue virtualIterator(RegionBuilder& b, const AbstractValue& value);
void finishIteration(RegionBuilder& b, const BytecodeInstruction& in, AbstractValue item);
bool isVirtualIterator(const AbstractValue& value);

}  // namespace kiln
