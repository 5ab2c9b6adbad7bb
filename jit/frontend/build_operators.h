// Operators that the program's classes define: their methods are inlined.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// One operand is an instance; the other is one of the same class, or a number, which leaves the operation to it. False where CPython must
// do it.
bool operatorCall(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
