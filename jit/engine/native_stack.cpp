#include "jit/engine/native_stack.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace kiln {
namespace {

// What building a region, or an exit, needs: on a smaller stack all is interpreted.
constexpr size_t kLeastRoom = 48 << 10;

thread_local char* limit = nullptr;

char* findLimit() {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return nullptr;
    }
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    return static_cast<char*>(lowest) + std::max(size - size / 4, std::min(kLeastRoom, size));
}

}  // namespace

char* nativeStackLimit() {
    if (limit == nullptr) {
        limit = findLimit();
    }
    return limit;
}

bool nativeStackIsShort() {
    return static_cast<char*>(__builtin_frame_address(0)) < nativeStackLimit();
}

}  // namespace kiln
