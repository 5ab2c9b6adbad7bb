// Conversions to a type, and to a condition.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// A scalar as one of another type; other values stay as they are. An error where the types do not go together.
Value convert(FunctionBuilder& build, const Value& value, const Type* type);
// A value as a condition: a bool, or poison.
Value truth(FunctionBuilder& build, const Value& value, const Node& node);

}  // namespace kiln::gpu
