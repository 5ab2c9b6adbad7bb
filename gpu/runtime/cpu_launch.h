// One launch of a kernel on the CPU: its blocks, spread over threads, and how it ends before they do.
#pragma once

#include <atomic>
#include <csetjmp>
#include <thread>

#include "gpu/cpu/codegen_interface.h"
#include "gpu/ir/fault_record.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// Made, run and ended by one thread. A launch ends early when a thread of it fails, or when a signal's handler raises. A handler may
// launch kernels in turn.
class CpuLaunch {
public:
    // All must outlive the launch.
    CpuLaunch(const CpuKernel& kernel, const uint8_t* arguments, const LaunchShape& shape);
    CpuLaunch(const CpuLaunch&) = delete;
    CpuLaunch& operator=(const CpuLaunch&) = delete;
    ~CpuLaunch();

    // Returns when all blocks have ended.
    Failure run();
    // All blocks at once, so that they can wait for each other.
    Failure runCooperatively();
    const FaultRecord& fault() const { return record_; }

    // What emitted code calls for these, and looks at.
    static void connect(CpuRuntime& runtime);

private:
    // Where blocks are left: out of emitted code, which holds nothing that must be destroyed.
    struct Exit {
        std::jmp_buf place;
        CpuLaunch* launch;
    };

    enum class Lack { kNothing, kMemory, kStack };

    static void poll();
    static void checkStack();
    static void raise(int64_t fault, const int32_t* place, int64_t index, int64_t size);
    void runBlocks(int64_t first, int64_t end);
    bool mustEnd();
    void end(Lack lack = Lack::kNothing);
    Failure outcome(bool hasRun) const;

    static thread_local Exit* exit;      // of the blocks that this thread runs
    static std::atomic<int32_t> ending;  // how many launches are to end

    const CpuKernel& kernel_;
    const uint8_t* arguments_;
    const LaunchShape& shape_;
    int64_t bytes_;
    std::thread::id owner_;
    std::atomic<bool> ends_ = false;
    std::atomic<Lack> lack_ = Lack::kNothing;  // what ended it
    bool isInterrupted_ = false;
    FaultRecord record_;
};

}  // namespace kiln::gpu
