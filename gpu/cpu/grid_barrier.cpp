// Blocks that wait for each other.
#include "gpu/cpu/grid_barrier.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <utility>
#include <vector>

#include "gpu/cpu/thread_pool.h"

namespace kiln::gpu {
namespace {

constexpr size_t kStackBytes = 2 << 20;  // of which pages are taken as they are used
constexpr size_t kGuardBytes = 4096;

struct Fiber {
    ucontext_t context;
    ucontext_t worker;  // where it was resumed
    const std::function<void(int64_t)>* body = nullptr;
    const std::function<void()>* outside = nullptr;  // what it wants done on its worker's stack before it goes on
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

// What is done outside may resume other fibers.
void resume(Fiber& fiber) {
    Fiber* before = std::exchange(current, &fiber);
    swapcontext(&fiber.worker, &fiber.context);
    while (fiber.outside != nullptr) {
        current = nullptr;
        (*std::exchange(fiber.outside, nullptr))();
        current = &fiber;
        swapcontext(&fiber.worker, &fiber.context);
    }
    current = before;
}

}  // namespace

Cooperation runCooperatively(int64_t blocks, int threads, const std::function<void(int64_t)>& body,
                             const std::function<void(int64_t)>& enter, const std::function<bool()>& goesOn) {
    size_t bytes = static_cast<size_t>(blocks) * kStackBytes;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return Cooperation::kNoMemory;
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
    auto runTurn = [&](int64_t first, int64_t end) {
        for (int64_t i = first; i < end; i++) {
            if (!fibers[static_cast<size_t>(i)].done) {
                enter(i);
                resume(fibers[static_cast<size_t>(i)]);
            }
        }
    };
    bool anyLeft = blocks > 0;
    bool isWhole = true;
    while (anyLeft && isWhole) {
        isWhole = parallelFor(blocks, threads, runTurn, goesOn);
        anyLeft = false;
        for (const Fiber& fiber : fibers) {
            anyLeft = anyLeft || !fiber.done;
        }
    }
    munmap(memory, bytes);
    return isWhole ? Cooperation::kDone : Cooperation::kForked;
}

void waitForGrid() {
    Fiber* fiber = currentFiber();
    swapcontext(&fiber->context, &fiber->worker);
}

const void* blockStack() {
    Fiber* fiber = currentFiber();
    return fiber != nullptr ? fiber->context.uc_stack.ss_sp : nullptr;
}

void onThreadStack(const std::function<void()>& work) {
    Fiber* fiber = currentFiber();
    if (fiber == nullptr) {
        work();
        return;
    }
    fiber->outside = &work;
    swapcontext(&fiber->context, &fiber->worker);
}

}  // namespace kiln::gpu
