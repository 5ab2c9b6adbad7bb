// Conversions to a type, and to a condition.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value convert(FunctionBuilder& build, const Value& value, const Type* type);
Value truth(FunctionBuilder& build, const Value& value, const Node& node);

}  // namespace kiln::gpu
