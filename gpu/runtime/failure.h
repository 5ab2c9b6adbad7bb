// What went wrong in the runtime, before it is a Python exception.
#pragma once

#include <string>

namespace kiln::gpu {

// The driver's numbers of what kiln refuses before the driver does.
inline constexpr int kInvalidValue = 1;
inline constexpr int kOutOfResources = 701;
inline constexpr int kLaunchFailed = 719;
inline constexpr int kCooperativeTooLarge = 720;

// What went wrong, as the name of an exception, its message, and the driver's status where one says so; empty: nothing.
struct Failure {
    std::string exception;
    std::string message;
    int code = 0;
    explicit operator bool() const { return !exception.empty(); }
};

}  // namespace kiln::gpu
