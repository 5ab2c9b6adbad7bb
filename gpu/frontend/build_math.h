// math, the functions of NumPy that do the same, and operators that are called by their names.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// In float32 if all numbers are, else in float64.
Value mathCall(FunctionBuilder& build, MathFunction function, const std::vector<Value>& arguments);

}  // namespace kiln::gpu
