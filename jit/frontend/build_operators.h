// Operators that the program's classes define: their methods are inlined.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// One operand is an instance; the other is one of the same class, or a number, which leaves the operation to it.
bool operatorCall(RegionBuilder& b, const BytecodeInstruction& in);
// An instance of a class that defines __getitem__. Both are false where CPython must do it.
bool subscriptCall(RegionBuilder& b, const BytecodeInstruction& in);
// The result of an operator's method: NotImplemented is for the interpreter. False when it is, or may be.
bool guardImplemented(RegionBuilder& b);

}  // namespace kiln
