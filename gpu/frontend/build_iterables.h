// Python's functions of what can be gone through, and what is asked of types.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

struct Call;

// What can be called to make another value of the type; poison where there is nothing.
Value typeObject(const Type* type);
// max and min of an array of one dimension.
Value callExtremumOfArray(FunctionBuilder& build, const Call& call);

}  // namespace kiln::gpu
