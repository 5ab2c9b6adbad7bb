// What went wrong in the runtime, before it is a Python exception.
#pragma once

#include <string>

namespace kiln::gpu {

// What went wrong, as the name of an exception, its message, and the driver's status where one says so; empty: nothing.
struct Failure {
    std::string exception;
    std::string message;
    int code = 0;
    explicit operator bool() const { return !exception.empty(); }
};

}  // namespace kiln::gpu
