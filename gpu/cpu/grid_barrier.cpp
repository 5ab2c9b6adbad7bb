// Blocks that wait for each other.
#include "gpu/cpu/grid_barrier.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <vector>

#include "gpu/cpu/thread_pool.h"

namespace kiln::gpu {
namespace {

constexpr size_t kStackBytes = 512 << 10;
constexpr size_t kGuardBytes = 4096;

struct Fiber {
    ucontext_t context;
    ucontext_t worker;  // where it was resumed
    const std::function<void(int64_t)>* body = nullptr;
    int64_t block = 0;
    bool done = false;
};

thread_local Fiber* current = nullptr;

// A fiber may go on on another thread: it must not remember where thread_local variables of the first one are.
[[gnu::noinline]] Fiber* currentFiber() {
    return current;
}

void runFiber(unsigned high, unsigned low) {
    auto* fiber = reinterpret_cast<Fiber*>(uintptr_t(high) << 32 | low);
    (*fiber->body)(fiber->block);
    fiber->done = true;
    swapcontext(&fiber->context, &fiber->worker);
}

void resume(Fiber& fiber) {
    current = &fiber;
    swapcontext(&fiber.worker, &fiber.context);
    current = nullptr;
}

}  // namespace

bool runCooperatively(int64_t blocks, int threads, const std::function<void(int64_t)>& body,
                      const std::function<void(int64_t)>& enter) {
    size_t bytes = static_cast<size_t>(blocks) * kStackBytes;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    std::vector<Fiber> fibers(static_cast<size_t>(blocks));
    for (size_t i = 0; i < fibers.size(); i++) {
        auto* stack = static_cast<char*>(memory) + i * kStackBytes;
        (void)mprotect(stack, kGuardBytes, PROT_NONE);
        Fiber& fiber = fibers[i];
        fiber.body = &body;
        fiber.block = static_cast<int64_t>(i);
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = stack + kGuardBytes;
        fiber.context.uc_stack.ss_size = kStackBytes - kGuardBytes;
        fiber.context.uc_link = nullptr;
        auto address = reinterpret_cast<uintptr_t>(&fiber);
        makecontext(&fiber.context, reinterpret_cast<void (*)()>(runFiber), 2, static_cast<unsigned>(address >> 32),
                    static_cast<unsigned>(address));
    }
    bool anyLeft = blocks > 0;
    while (anyLeft) {
        parallelFor(blocks, threads, [&](int64_t first, int64_t end) {
            for (int64_t i = first; i < end; i++) {
                if (!fibers[static_cast<size_t>(i)].done) {
                    enter(i);
                    resume(fibers[static_cast<size_t>(i)]);
                }
            }
        });
        anyLeft = false;
        for (const Fiber& fiber : fibers) {
            anyLeft = anyLeft || !fiber.done;
        }
    }
    munmap(memory, bytes);
    return true;
}

void waitForGrid() {
    Fiber* fiber = currentFiber();
    swapcontext(&fiber->context, &fiber->worker);
}

}  // namespace kiln::gpu
