// bfloat16: the upper half of a float32, in which its arithmetic is done and rounded once: a float32 has so many more bits that the
// first rounding does not matter.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// As a float32; another value as it is.
Value widened(FunctionBuilder& build, const Value& value);
// To or from a bfloat16.
Value convertBrain(FunctionBuilder& build, const Value& value, const Type* type);

}  // namespace kiln::gpu
