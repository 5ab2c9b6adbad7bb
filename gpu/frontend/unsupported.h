// Errors about what kernels cannot contain, with what to write instead.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// An error that says what to write instead. `what`: "statement" or "expression".
Value failUnsupported(FunctionBuilder& build, const Node& node, const char* what);
// Of an object that kernels cannot call, by the syntax that names it.
Value failCall(FunctionBuilder& build, const Node& function, PyObject* object);

}  // namespace kiln::gpu
