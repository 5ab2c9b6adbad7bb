// Calls of functions that other languages define, and that are linked to the kernel on a GPU.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// A call of a function of other code, as declare_device describes it.
Value callExternal(FunctionBuilder& build, const Node& node, PyObject* description,
                   const std::vector<Value>& arguments);

}  // namespace kiln::gpu
