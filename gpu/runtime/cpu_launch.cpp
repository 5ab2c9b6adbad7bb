// One launch of a kernel on the CPU.
#include "gpu/runtime/cpu_launch.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cpu/grid_barrier.h"
#include "gpu/cpu/thread_pool.h"
#include "gpu/runtime/interrupts.h"
#include "interp/config.h"
#include "interp/support/thread_stack.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kSerialThreads = 2048;  // a launch of fewer costs less than waking helpers

// Memory for blocks.
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::free(data_); }
    uint8_t* atLeast(int64_t bytes) {
        if (bytes > size_) {
            std::free(data_);
            size_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
            data_ = static_cast<uint8_t*>(std::aligned_alloc(kAlignment, static_cast<size_t>(size_)));
            size_ = data_ != nullptr ? size_ : 0;
        }
        return data_;
    }

private:
    uint8_t* data_ = nullptr;
    int64_t size_ = 0;
};

// What a function may take for its local arrays, and what it calls.
constexpr size_t kStackReserve = 768 << 10;

// Below it no function that may call itself is entered; a thread with a small stack has half of it.
const char* threadStackLimit() {
    thread_local const char* limit = nullptr;
    if (limit == nullptr) {
        ThreadStack stack = threadStack();
        limit = stack.lowest + std::min(kStackReserve, stack.size / 2);
    }
    return limit;
}

// For what is recorded of a launch's accesses: a quarter of the machine's memory.
size_t shadowLimit() {
    return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) / 4 * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

int wantedThreads() {
    return std::atoi(config().numThreadsText.c_str());
}

}  // namespace

thread_local CpuLaunch::Exit* CpuLaunch::exit = nullptr;
std::atomic<int32_t> CpuLaunch::ending = 0;

CpuLaunch::CpuLaunch(const Module& module, const CpuKernel& kernel, const uint8_t* arguments, const LaunchShape& shape)
    : module_(module),
      kernel_(kernel),
      arguments_(arguments),
      shape_(shape),
      bytes_(kernel.scratchBytes(shape)),
      owner_(std::this_thread::get_id()) {
    if (!module.accesses.empty()) {
        checks_ = std::make_unique<LaunchChecks>(shadowLimit());
    }
}

CpuLaunch::~CpuLaunch() {
    if (ends_) {
        ending--;
    }
}

void CpuLaunch::connect(CpuRuntime& runtime) {
    runtime.poll = poll;
    runtime.checkStack = checkStack;
    runtime.raise = raise;
    runtime.stopWord = &ending;
    runtime.signalWord = signalWord();
    connectChecks(runtime.checks);
}

void CpuLaunch::end(Lack lack) {
    if (lack != Lack::kNothing) {
        lack_ = lack;
    }
    if (!ends_.exchange(true)) {
        ending++;
    }
}

bool CpuLaunch::mustEnd() {
    if (!ends_ && std::this_thread::get_id() == owner_) {
        Exit* before = std::exchange(exit, nullptr);  // handlers may launch kernels
        isInterrupted_ = signalHandlerRaised();
        exit = before;
        if (isInterrupted_) {
            end();
        }
    }
    return ends_;
}

// A handler runs on the thread's own stack, not on the small one of a block that can wait.
void CpuLaunch::poll() {
    CpuLaunch* launch = exit->launch;
    bool ends = launch->ends_;
    if (!ends) {
        onThreadStack([&] { ends = launch->mustEnd(); });
    }
    if (ends) {
        std::longjmp(exit->place, 1);
    }
}

void CpuLaunch::checkStack() {
    const char* lowest = static_cast<const char*>(blockStack());
    if (static_cast<const char*>(__builtin_frame_address(0)) <
        (lowest != nullptr ? lowest + kStackReserve : threadStackLimit())) {
        exit->launch->end(Lack::kStack);
        std::longjmp(exit->place, 1);
    }
}

void CpuLaunch::raise(int64_t fault, const int32_t* place, int64_t index, int64_t size) {
    FaultRecord& record = exit->launch->record_;
    uint32_t none = 0;
    if (std::atomic_ref<uint32_t>(record.fault).compare_exchange_strong(none, static_cast<uint32_t>(fault))) {
        std::memcpy(record.thread, place, sizeof record.thread);
        std::memcpy(record.block, place + 3, sizeof record.block);
        record.index = index;
        record.size = size;
    }
    exit->launch->end();
    std::longjmp(exit->place, 1);
}

// Returns when the blocks have ended, or are left. Holds nothing that a jump back to here could spoil.
void CpuLaunch::enter(Exit& exit, int64_t first, int64_t end, uint8_t* memory) {
    if (setjmp(exit.place) == 0) {
        kernel_.entry(arguments_, &shape_, first, end, memory);
    }
}

// A thread's memory is kept for its next launch; one that a handler makes in the midst of it has its own.
void CpuLaunch::runBlocks(int64_t first, int64_t end) {
    thread_local Scratch kept;
    thread_local bool isUsed = false;
    Scratch own;
    bool wasUsed = std::exchange(isUsed, true);
    uint8_t* memory = (wasUsed ? own : kept).atLeast(bytes_);
    Exit here = newExit();
    Exit* before = std::exchange(exit, &here);
    if (memory == nullptr) {
        this->end(Lack::kMemory);
    }
    if (!ends_) {
        enter(here, first, end, memory);
    }
    exit = before;
    isUsed = wasUsed;
}

CpuLaunch::Exit CpuLaunch::newExit() {
    return {{}, this, checks_ != nullptr ? std::make_unique<BlockChecks>(*checks_) : nullptr};
}

Failure CpuLaunch::outcome(bool hasRun) const {
    if (isInterrupted_) {
        return interruption();
    }
    if (accessFault_) {
        return accessFault_;
    }
    if (lack_ != Lack::kNothing) {
        return lack_ == Lack::kMemory
                   ? Failure{"MemoryError", "no memory for the arrays of the blocks"}
                   : Failure{"CudaAPIError", "a device function calls itself too deeply: the stack is full", kLaunchFailed};
    }
    return hasRun ? Failure() : Failure{"RuntimeError", "this process was forked in the midst of a kernel"};
}

Failure CpuLaunch::run() {
    bool isSerial = shape_.cores != 0 ? shape_.cores == 1 : shape_.blocks() * shape_.threads() <= kSerialThreads;
    if (isSerial) {
        runBlocks(0, shape_.blocks());
        return outcome(true);
    }
    bool hasRun = parallelFor(
        shape_.blocks(), wantedThreads(), [this](int64_t first, int64_t end) { runBlocks(first, end); },
        [this] { return !mustEnd(); }, shape_.cores);
    return outcome(hasRun);
}

// Each block has memory of its own.
Failure CpuLaunch::runCooperatively() {
    int64_t blocks = shape_.blocks();
    int64_t bytes = (bytes_ + kAlignment - 1) / kAlignment * kAlignment;
    if (blocks > kMostCooperativeBlocks) {
        return {"CudaAPIError", "a launch of " + std::to_string(blocks) +
                                    " blocks that wait for each other is too large: at most " +
                                    std::to_string(kMostCooperativeBlocks) + " run at the same time",
                kCooperativeTooLarge};
    }
    Scratch scratch;
    uint8_t* memory = scratch.atLeast(bytes * blocks);
    std::vector<Exit> exits;
    for (int64_t i = 0; i < blocks; i++) {
        exits.push_back(newExit());
    }
    auto run = [&](int64_t block) {
        enter(exits[static_cast<size_t>(block)], block, block + 1, memory + block * bytes);
    };
    auto resume = [&](int64_t block) { exit = &exits[static_cast<size_t>(block)]; };
    auto goesOn = [this] { return !mustEnd(); };
    Exit* before = exit;
    Cooperation ended = memory != nullptr ? kiln::gpu::runCooperatively(blocks, wantedThreads(), run, resume, goesOn)
                                          : Cooperation::kNoMemory;
    exit = before;
    return ended != Cooperation::kNoMemory
               ? outcome(ended == Cooperation::kDone)
               : Failure{"MemoryError", "no memory for the stacks of blocks that wait for each other"};
}

}  // namespace kiln::gpu
