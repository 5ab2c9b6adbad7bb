// Functions of the math module.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool callMath(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, const char* name, int arguments);

}  // namespace kiln
