// Runtime functions of quick code, which hand over its native frame (jit/quick/stencil_set.h).
#pragma once

#include "jit/runtime/compiled_region.h"

namespace kiln {

// The exit whose number the native frame has. What a function gives back is put there.
void leaveQuick(NativeContext* context, int64_t* native, CompiledRegion* region);
// Links shadow frames for the frames of a snapshot, which loop.
void linkQuick(NativeContext* context, int64_t* native, CompiledRegion* region, int snapshot);

}  // namespace kiln
