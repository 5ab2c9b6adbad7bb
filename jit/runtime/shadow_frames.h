// Shadow frames of waiting activations: code and position, no locals, for those who read the stack without the GIL while a callee
// loops. They lie behind the activation's values, and are current until the callee returns.
#pragma once

#include "jit/native_interface.h"

namespace kiln {

// Of the activations of this context that have no real frames: gives each shadow frames, unless it has them. The innermost frame.
// The thread's current frame is a real one.
void* shadowCallers(NativeContext* context);

}  // namespace kiln
