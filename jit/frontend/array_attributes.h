// Attributes of NumPy's arrays that their heads tell.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Builds LOAD_ATTR of an array that is on top. False, with nothing emitted that an exit would not undo, where only NumPy can tell.
bool arrayAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);

}  // namespace kiln
