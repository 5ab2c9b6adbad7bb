// Errors about what kernels cannot contain, with what to write instead.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value failUnsupported(FunctionBuilder& build, const Node& node, const char* what);
Value failCall(FunctionBuilder& build, const Node& function, PyObject* object);

}  // namespace kiln::gpu
