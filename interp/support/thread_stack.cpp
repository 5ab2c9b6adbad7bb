#include "interp/support/thread_stack.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace kiln {
namespace {

constexpr size_t kUnlimited = size_t{8} << 20;  // what is counted on where there is no limit

// glibc reads the first thread's from /proc, which need not be mounted. The kernel puts the name of what it was asked to run at the
// stack's upper end.
ThreadStack firstThreadStack() {
    auto name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    rlimit limit;
    if (name == nullptr || getrlimit(RLIMIT_STACK, &limit) != 0) {
        return {nullptr, 0};
    }
    auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    uintptr_t end = (reinterpret_cast<uintptr_t>(name) + std::strlen(name) + page) / page * page;
    size_t size = limit.rlim_cur == RLIM_INFINITY ? kUnlimited : static_cast<size_t>(limit.rlim_cur) / page * page;
    return {reinterpret_cast<char*>(end - size), size};
}

}  // namespace

ThreadStack threadStack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return getpid() == gettid() ? firstThreadStack() : ThreadStack{nullptr, 0};
    }
    void* lowest = nullptr;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    return {static_cast<char*>(lowest), size};
}

}  // namespace kiln
