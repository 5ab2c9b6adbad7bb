// The native stack of the process's first thread: the one that is never taken away.
#pragma once

namespace kiln {

// What of it is known to be readable, for good: it only grows. Not thread-safe.
class FirstStack {
public:
    // Called by any thread, from time to time: by the first one it is learnt that the stack reaches to here. True if more is known than
    // before. In a forked child nothing more is learnt unless the first thread forked.
    bool meet();
    const void* from() const { return from_; }
    const void* end() const { return end_; }

private:
    bool findLimits();

    const char* limit_ = nullptr;  // the stack never grows below
    const char* from_ = nullptr;
    const char* end_ = nullptr;  // NULL: the limits are not known yet
};

}  // namespace kiln
