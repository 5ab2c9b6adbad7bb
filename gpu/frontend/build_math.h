// math, the functions of NumPy that do the same, and operators that are called by their names.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

// As numba has NumPy's functions of numbers of several kinds: integers take the type of the floats.
void besideFloats(FunctionBuilder& build, Call& call);
// In float32 if all numbers are, else in float64.
Value mathCall(FunctionBuilder& build, MathFunction function, const std::vector<Value>& arguments);

}  // namespace kiln::gpu
