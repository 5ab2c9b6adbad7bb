// Calls: what is called, with which arguments.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

// The keyword arguments of a call: their nodes and values, in its order.
using Keywords = std::vector<std::pair<const Node*, Value>>;

// The keyword argument of a call's node; nullptr where it has none of that name.
const Node* keywordOf(const Node& node, const std::string& name);
// Appends the values of a call's positional arguments. False after an error.
bool collectArguments(FunctionBuilder& build, const Node& node, std::vector<Value>& arguments);
// Calls the row's handler; NumPy's functions of complex numbers may be cmath's.
Value callHandler(FunctionBuilder& build, Call& call);
// Whether all arguments are real numbers; else that is an error.
bool requireScalars(FunctionBuilder& build, const Call& call);
Value buildCall(FunctionBuilder& build, const Node& node);
// Keyword arguments in their places, then defaults, which are constants. What is missing then is an error of the call.
// `built`: the values of the call's keyword arguments if they are built already.
bool completeArguments(FunctionBuilder& build, const Node& node, PyObject* target, std::vector<Value>& arguments, const Keywords* built = nullptr);

}  // namespace kiln::gpu
