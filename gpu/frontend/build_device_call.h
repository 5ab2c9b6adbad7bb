// Calls of device functions, each of which is built once for the types of its arguments.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// What a device function is compiled from.
struct Callable {
    const void* identity;
    PyObject* function;  // whose globals and closure it sees
    std::shared_ptr<const FunctionSource> source;
    std::vector<std::string> captured;  // names of the first arguments
};

// A call of a Python function, which is built for arguments of these types if it is not yet.
Value callDevice(FunctionBuilder& build, const Node& node, PyObject* target, const std::vector<Value>& arguments);
// The same for what is no Python function. Arguments that are constants are numbers like others, unless the function needs to know them, for the shape of an array.
Value callFunction(FunctionBuilder& build, const Node& node, const Callable& target,
                   const std::vector<Value>& arguments);

}  // namespace kiln::gpu
