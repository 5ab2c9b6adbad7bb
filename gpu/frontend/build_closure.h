// Functions and lambdas that are defined in kernels and device functions: device functions that get what they capture as
// arguments.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Captures what of this function it names, and what of that is known already.
Value closureOf(FunctionBuilder& build, const Node& definition);
// What a nested function captures is what that is where the function is called or handed on.
void refreshClosure(FunctionBuilder& build, Value& value);
Value callClosure(FunctionBuilder& build, const Node& node, Value closure, std::vector<Value> arguments);

}  // namespace kiln::gpu
