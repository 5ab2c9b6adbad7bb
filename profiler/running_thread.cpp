#include "profiler/running_thread.h"

#include <algorithm>
#include <ctime>

namespace kiln {
namespace {

constexpr int64_t kNever = -1;
constexpr int64_t kSecond = 1000000000;
constexpr int64_t kLongAgo = kSecond / 500;  // a look before that tells nothing of now

int64_t timeOn(clockid_t clock) {
    timespec time;
    return clock_gettime(clock, &time) == 0 ? time.tv_sec * kSecond + time.tv_nsec : kNever;
}

}  // namespace

// The clock's number is made as pthread_getcpuclockid() makes it, which must not be asked of a thread that may be gone.
int64_t ThreadClocks::timeOf(unsigned long id) {
    constexpr unsigned kPerThread = 4;
    constexpr unsigned kScheduler = 2;
    return id != 0 ? timeOn(static_cast<clockid_t>((~static_cast<unsigned>(id) << 3) | kPerThread | kScheduler)) : kNever;
}

const ThreadClocks::Clock* ThreadClocks::known(unsigned long id) const {
    const Clock* end = clocks_ + count_;
    const Clock* found = std::find_if(clocks_, end, [&](const Clock& clock) { return clock.id == id; });
    return found != end ? found : nullptr;
}

void ThreadClocks::begin(PyThreadState* const* threads, size_t count, unsigned long (*nativeId)(PyThreadState*)) {
    Clock clocks[kMostThreads];
    count = std::min(count, kMostThreads);
    int64_t now = timeOn(CLOCK_MONOTONIC);
    int64_t passed = now - lookedAt_;
    for (size_t i = 0; i < count; i++) {
        unsigned long id = nativeId(threads[i]);
        clocks[i] = {.thread = threads[i], .id = id, .then = timeOf(id)};
        const Clock* before = known(id);
        bool isComparable = before != nullptr && before->then != kNever && clocks[i].then != kNever && passed < kLongAgo;
        clocks[i].hasRun = isComparable && clocks[i].then - before->then > passed / 2;
    }
    std::copy(clocks, clocks + count, clocks_);
    count_ = count;
    lookedAt_ = now;
}

PyThreadState* ThreadClocks::running() const {
    for (size_t i = 0; i < count_; i++) {
        const Clock& clock = clocks_[i];
        if (clock.hasRun || (clock.then != kNever && timeOf(clock.id) > clock.then)) {
            return clock.thread;
        }
    }
    return nullptr;
}

}  // namespace kiln
