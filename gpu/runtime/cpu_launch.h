// One launch of a kernel on the CPU: its blocks, spread over threads, and how it ends before they do.
#pragma once

#include <atomic>
#include <csetjmp>
#include <memory>
#include <mutex>
#include <thread>

#include "gpu/cpu/access_checks.h"
#include "gpu/cpu/codegen_interface.h"
#include "gpu/ir/fault_record.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// Made, run and ended by one thread. A launch ends early when a thread of it fails, or when a signal's handler raises. A handler may
// launch kernels in turn.
class CpuLaunch {
public:
    // All must outlive the launch.
    CpuLaunch(const Module& module, const CpuKernel& kernel, const uint8_t* arguments, const LaunchShape& shape);
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
    static void connectChecks(CpuChecks& checks);

private:
    // Where blocks are left: out of emitted code, which holds nothing that must be destroyed.
    struct Exit {
        std::jmp_buf place;
        CpuLaunch* launch;
        std::unique_ptr<BlockChecks> checks;
        Failure unwritten;  // what it ends with at the next barrier, if no race is found until then
    };
    // What emitted code calls where accesses are checked.
    struct Checks;

    enum class Lack { kNothing, kMemory, kStack };

    static void poll();
    static void checkStack();
    static void raise(int64_t fault, const int32_t* place, int64_t index, int64_t size);
    void runBlocks(int64_t first, int64_t end);
    bool mustEnd();
    void end(Lack lack = Lack::kNothing);
    Exit newExit();
    void enter(Exit& exit, int64_t first, int64_t end, uint8_t* memory);
    Failure describeFault(const AccessFault& fault, const int64_t* indices, const int32_t* place) const;
    void fail(const Failure& failure);
    Failure outcome(bool hasRun) const;

    static thread_local Exit* exit;      // of the blocks that this thread runs
    static std::atomic<int32_t> ending;  // how many launches are to end

    const Module& module_;
    const CpuKernel& kernel_;
    const uint8_t* arguments_;
    const LaunchShape& shape_;
    int64_t bytes_;
    std::thread::id owner_;
    std::atomic<bool> ends_ = false;
    std::atomic<Lack> lack_ = Lack::kNothing;  // what ended it
    bool isInterrupted_ = false;
    FaultRecord record_;
    std::unique_ptr<LaunchChecks> checks_;  // of a module whose accesses are checked
    std::mutex faultMutex_;
    Failure accessFault_;  // the first
};

}  // namespace kiln::gpu
