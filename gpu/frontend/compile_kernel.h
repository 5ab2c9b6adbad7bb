// The front end's entry: a Python function and the types of its arguments become a module of kernel IR.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/frontend/value.h"

namespace kiln::gpu {

// The user's mistake, as a class of numba.core.errors (or a builtin exception) and a message.
struct CompileError {
    bool isSet = false;
    std::string errorClass;
    std::string message;
};

struct FrontendResult {
    std::unique_ptr<Module> module;  // nullptr with `error` set
    CompileError error;
    Value returned;                  // of a device function: types only
};

struct FrontendOptions {
    bool isDevice = false;  // the function is compiled as one that returns values
    bool debug = false;     // assert and raise work
};

// Arguments are types: scalars, arrays, tuples, none. Needs the GIL; may run Python (linecache).
FrontendResult compileFrontend(PyObject* function, const std::vector<Value>& arguments, const FrontendOptions& options);

}  // namespace kiln::gpu
