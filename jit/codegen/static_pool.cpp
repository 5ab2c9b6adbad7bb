// LLVM's static objects are made while the shared object is being opened, where nothing can give up. So what they allocate is
// served from memory that the object brings with it, if the process has no more. Calls of the C library's functions come here
// by the linker's --wrap, within this object only.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>

#include "jit/codegen/llvm_failures.h"

extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* memory, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void __real_free(void* memory);
}

namespace {

constexpr std::size_t kUnit = 64;

// Its pages cost nothing until they are used, which is never given back.
alignas(kUnit) char pool[4 << 20];
std::atomic<std::size_t> used = 0;

bool isOfPool(const void* memory) {
    return std::less_equal<const void*>()(pool, memory) && std::less<const void*>()(memory, pool + sizeof pool);
}

// `memory` if there is any, or else some of the pool, which was never used.
void* orOfPool(void* memory, std::size_t bytes) {
    if (memory != nullptr || bytes > sizeof pool || kiln::isSurvivingFailures()) {
        return memory;
    }
    std::size_t room = std::max((bytes + kUnit - 1) & ~(kUnit - 1), kUnit);
    std::size_t offset = used.fetch_add(room);
    return offset + room <= sizeof pool ? pool + offset : nullptr;
}

}  // namespace

extern "C" {

void __wrap_free(void* memory) {
    if (!isOfPool(memory)) {
        __real_free(memory);
    }
}

void* __wrap_malloc(std::size_t bytes) {
    return orOfPool(__real_malloc(bytes), bytes);
}

void* __wrap_calloc(std::size_t count, std::size_t bytes) {
    std::size_t all = 0;
    void* memory = __real_calloc(count, bytes);
    return __builtin_mul_overflow(count, bytes, &all) ? memory : orOfPool(memory, all);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    void* memory = __real_aligned_alloc(alignment, bytes);
    return alignment <= kUnit ? orOfPool(memory, bytes) : memory;
}

void* __wrap_realloc(void* memory, std::size_t bytes) {
    bool ofPool = isOfPool(memory);
    void* moved = ofPool ? __wrap_malloc(bytes) : __real_realloc(memory, bytes);
    if (!ofPool && (moved != nullptr || bytes == 0)) {
        return moved;
    }
    moved = orOfPool(moved, bytes);
    if (moved != nullptr && memory != nullptr) {
        std::size_t room = ofPool ? static_cast<std::size_t>(pool + sizeof pool - static_cast<char*>(memory)) : malloc_usable_size(memory);
        std::memmove(moved, memory, std::min(bytes, room));
        __wrap_free(memory);
    }
    return moved;
}
}
