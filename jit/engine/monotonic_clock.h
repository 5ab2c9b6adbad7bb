// The clock that compilation is measured with.
#pragma once

#include <chrono>

namespace kiln {

inline double monotonicMilliseconds() {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
}

}  // namespace kiln
