// What functions return: all returns of a device function give one type.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Notes what the return that ends the current block returns.
void addReturn(FunctionBuilder& build, const Node& node, const Value& value);
// Gives every return its operands, converted to the common type.
void finishReturns(FunctionBuilder& build);
void buildReturn(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
