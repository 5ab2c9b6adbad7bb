// Calls of NumPy's functions of one number, and of its scalar classes.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// `callee` is called with positional arguments. False where it is none of these, or only NumPy can do it.
bool callNumPy(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);

}  // namespace kiln
