// Clocks: wall time, and processor ticks.
#pragma once

#include <chrono>
#include <cstdint>

namespace kiln {

inline double monotonicMilliseconds() {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
}

// The processor's clock: cheap, of no known unit.
inline uint64_t processorTicks() {
    return __builtin_ia32_rdtsc();
}

}  // namespace kiln
