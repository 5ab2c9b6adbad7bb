// Python objects that are known at compile time: constants of the code, globals, closure variables.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// The value of a Python object that is known at compile time: constants of the code, globals, closure variables.
Value valueOfObject(FunctionBuilder& build, Ref<> object, const Node& node);
// A constant array of the function's, which those that are equal share.
Value constantOf(FunctionBuilder& build, StaticArray array, const Node& node);
// Closure variables, globals and builtins are constants: what they are when the kernel is compiled.
Value buildGlobal(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
