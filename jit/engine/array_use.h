// Does code work on NumPy's arrays? The interpreter has no specialised instructions that would tell.
#pragma once

#include "interp/cpython/cpython_shim.h"

namespace kiln {

// One of the frame's locals, or of the variables that its code names, is an array now. The frame is the running one; its operand stack
// is not looked at. Needs the GIL, and runs no code of the program's.
bool holdsArrays(KilnFrame* frame);

}  // namespace kiln
