#include "profiler/first_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace kiln {
namespace {

// Initialised before main().
const pthread_t firstThread = pthread_self();

// Nothing between the two is missing.
bool isMapped(const char* from, const char* end) {
    static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    const char* begin = from - reinterpret_cast<uintptr_t>(from) % page;
    auto size = static_cast<size_t>(end - begin);
    std::vector<unsigned char> isResident(size / page + 1);
    return ::mincore(const_cast<char*>(begin), size, isResident.data()) == 0;
}

}  // namespace

bool FirstStack::findLimits() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return false;
    }
    void* lowest = nullptr;
    size_t size = 0;
    bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (known) {
        limit_ = static_cast<const char*>(lowest);
        from_ = end_ = limit_ + size;
    }
    return known;
}

bool FirstStack::meet() {
    auto here = static_cast<const char*>(__builtin_frame_address(0));
    if (here >= from_ && here < end_) {
        return false;
    }
    if (!pthread_equal(pthread_self(), firstThread) || (end_ == nullptr && !findLimits())) {
        return false;
    }
    // Elsewhere within the first thread: a coroutine with a stack of its own.
    if (here < limit_ || here >= from_ || !isMapped(here, from_)) {
        return false;
    }
    from_ = here;
    return true;
}

}  // namespace kiln
