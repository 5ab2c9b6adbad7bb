// Operators that the program's classes define: their methods are inlined.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool operatorCall(RegionBuilder& b, const BytecodeInstruction& in);
bool subscriptCall(RegionBuilder& b, const BytecodeInstruction& in);
bool guardImplemented(RegionBuilder& b);

}  // namespace kiln
