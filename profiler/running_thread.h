// Which thread runs while nobody holds the GIL: one may be in C code that has given it up.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>

namespace kiln {

// The processor time of a process's threads, by looks that follow one another. A thread ran if its clock goes on while it is looked at, or
// did half of the time since the last look: the look may have taken its processor. Not thread-safe.
class ThreadClocks {
public:
    // Begins a look at these threads. The states may be gone: `nativeId` reads a thread's number, 0 if it cannot.
    void begin(PyThreadState* const* threads, size_t count, unsigned long (*nativeId)(PyThreadState*));
    // The first of the threads that runs; nullptr when all of them wait.
    PyThreadState* running() const;
    static constexpr size_t kMostThreads = 16;

private:
    struct Clock {
        PyThreadState* thread = nullptr;
        unsigned long id = 0;
        int64_t then = 0;  // nanoseconds of processor time
        bool hasRun = false;
    };
    static int64_t timeOf(unsigned long id);
    const Clock* known(unsigned long id) const;

    Clock clocks_[kMostThreads];
    size_t count_ = 0;
    int64_t lookedAt_ = 0;
};

}  // namespace kiln
