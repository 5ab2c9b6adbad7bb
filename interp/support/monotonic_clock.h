// Clocks: wall time, processor time, and processor ticks.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace kiln {

inline double monotonicMilliseconds() {
    auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
}

inline double clockMilliseconds(clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// What all threads of the process, or this one, have used of the machine, however busy it is. Not cheap.
inline double processorMilliseconds() {
    return clockMilliseconds(CLOCK_PROCESS_CPUTIME_ID);
}
inline double threadMilliseconds() {
    return clockMilliseconds(CLOCK_THREAD_CPUTIME_ID);
}

// The processor's clock: cheap, of no known unit.
inline uint64_t processorTicks() {
    return __builtin_ia32_rdtsc();
}

}  // namespace kiln
