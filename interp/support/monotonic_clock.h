// Clocks: wall time and processor time.
#pragma once

#include <chrono>
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

// What this thread has used of the machine, however busy that is. Not cheap.
inline double threadMilliseconds() {
    return clockMilliseconds(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace kiln
