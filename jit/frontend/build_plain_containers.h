// Dicts, sets, lists and strings that are made of values, or filled with them, without Python code.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// False where CPython must do it.
bool plainBuild(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
