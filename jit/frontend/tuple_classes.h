// Classes that are derived from tuple, named tuples above all.
#pragma once

#include "jit/frontend/attribute_access.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

// The entry is an instance of such a class of the program's, and gives its items as tuples do: known, or guarded to be of the only class seen.
bool knowTupleClass(RegionBuilder& b, int below, const ClassSet& seen);
// A field of the top entry, which may have been made with fewer items. For a method call there is a NULL below it.
void loadField(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access, bool method);
// tuple.__new__(cls, items): the call's result is a new tuple of the class with the items of the top entry. False when it is something else.
bool newTuple(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls);

}  // namespace kiln
