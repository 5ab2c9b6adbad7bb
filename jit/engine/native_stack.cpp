#include "jit/engine/native_stack.h"

#include <algorithm>
#include <cstddef>

#include "interp/support/thread_stack.h"

namespace kiln {
namespace {

// What building a region, or an exit, needs: on a smaller stack all is interpreted.
constexpr size_t kLeastRoom = 48 << 10;

thread_local char* limit = nullptr;

char* findLimit() {
    ThreadStack stack = threadStack();
    return stack.lowest + std::max(stack.size - stack.size / 4, std::min(kLeastRoom, stack.size));
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
