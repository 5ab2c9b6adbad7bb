// Calls: what is called, with which arguments.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

const Node* keywordOf(FunctionBuilder& build, const Node& node, const char* name);
bool collectArguments(FunctionBuilder& build, const Node& node, std::vector<Value>& arguments);
// NumPy's functions of complex numbers may be cmath's.
Value callHandler(FunctionBuilder& build, Call& call);
bool requireScalars(FunctionBuilder& build, const Call& call);
Value buildCall(FunctionBuilder& build, const Node& node);
// Keyword arguments in their places, then defaults, which are constants. What is missing then is an error of the call.
bool completeArguments(FunctionBuilder& build, const Node& node, PyObject* target, std::vector<Value>& arguments);

}  // namespace kiln::gpu
