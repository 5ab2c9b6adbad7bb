// Functions of the math module.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// A function of the math module, of numbers. False where it is called like any other.
bool callMath(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, const char* name, int arguments);

}  // namespace kiln
