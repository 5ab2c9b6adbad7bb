#include "jit/engine/native_stack.h"

#include <pthread.h>

#include <cstddef>

namespace kiln {
namespace {

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
    return static_cast<char*>(lowest) + size - size / 4;
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
