// Kernels as machine code: compiled, launched, asked about.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/cpu/codegen_interface.h"
#include "gpu/ir/fault_record.h"
#include "gpu/runtime/failure.h"

namespace kiln::gpu {

inline constexpr int kNoCarveout = -2;

// Options of one kernel that its compiler sees.
struct KernelOptions {
    bool fastmath = false;
    bool lineinfo = false;
    bool debug = false;
    bool optimise = true;
    bool isDevice = false;  // a function that kernels call: there is no launching it, only its text and PTX
    bool isLoop = false;    // a part of a function of the program's: runs on the CPU, with Python's errors
    bool divides = false;   // of a loop: a division by zero has a result, as in NumPy
    int maxRegisters = 0;
    int launchBounds[3] = {0, 0, 0};
    int carveout = kNoCarveout;  // percent of a GPU's memory that is L1 or shared; -1: as the driver likes
    std::vector<LinkedCode> links;
};

// Refuses a launch of more threads in a block than the kernel's launch_bounds let through; no `most`, no bounds.
inline Failure checkLaunchBounds(const std::string& kernel, int64_t most, const LaunchShape& shape) {
    if (most <= 0 || shape.threads() <= most) {
        return {};
    }
    return {"CudaAPIError", "kernel " + kernel + " has launch_bounds for " + std::to_string(most) + " threads in a block, and not " +
                                std::to_string(shape.threads()), kInvalidValue};
}

// A kernel compiled for one device of a backend. Its end frees the code; no launch of it may be under way on the host.
class CompiledKernel {
public:
    virtual ~CompiledKernel() = default;
    // Of the driver's library that the code is, if code linked to it is watched; else 0.
    virtual uint64_t handle() const { return 0; }
    std::atomic<double> milliseconds = 0;  // that the compilation took
    bool fromCache = false;
    std::atomic<int64_t> deviceNanoseconds{0};  // that its launches ran; counted while timesLaunches()
};

// Thread-safe; no call needs the GIL, and those that may wait should be made without it. Code belongs to the device in use.
class CodeBackend {
public:
    virtual ~CodeBackend() = default;
    // `shape` is that of the launch which needs it; others may follow. The module must stay as long as the result.
    virtual std::unique_ptr<CompiledKernel> compile(const Module& module, const KernelOptions& options,
                                                    const LaunchShape& shape, Failure& failure) = 0;
    // Arguments are packed as argument_layout.h says. May return before the kernel ends.
    virtual Failure launch(CompiledKernel& kernel, const uint8_t* arguments, int64_t bytes, const LaunchShape& shape,
                           uintptr_t stream) = 0;
    // Of kernels with faults: what the launch that this thread made last left, which has ended then.
    virtual Failure takeFault(CompiledKernel& kernel, uintptr_t stream, FaultRecord& record) = 0;
    // Waits until deviceNanoseconds has all launches so far.
    virtual void finishTimings(CompiledKernel& kernel) {}
    // One of the kernel's numbers by the name that programs ask for: registers, shared, local, constant, threads; 0 if unknown.
    virtual int64_t attribute(CompiledKernel& kernel, const std::string& name) { return 0; }
    // The block size with the best occupancy; 0 where it makes no difference.
    virtual int bestBlock(CompiledKernel& kernel, int64_t dynamicBytes) { return 0; }
    // How many blocks of a cooperative launch can run at the same time.
    virtual int64_t mostCooperativeBlocks(CompiledKernel& kernel, int64_t threads, int64_t dynamicBytes) = 0;
    // Code that the program has as an image (PTX, a cubin, a fatbin), with functions and variables by their names.
    virtual Failure loadImage(const std::string& image, uintptr_t& library) { return noImages(); }
    virtual void unloadImage(uintptr_t library) {}
    virtual Failure imageFunction(uintptr_t library, const std::string& name, uintptr_t& function) { return noImages(); }
    virtual Failure imageVariable(uintptr_t library, const std::string& name, uintptr_t& address, int64_t& bytes) { return noImages(); }
    virtual Failure functionAttribute(uintptr_t function, int number, int& value) { return noImages(); }
    // How many of its blocks run on a multiprocessor at the same time.
    virtual Failure functionBlocks(uintptr_t function, int threads, int64_t dynamicBytes, int& blocks) { return noImages(); }
    virtual Failure setFunctionAttribute(uintptr_t function, int number, int value) { return noImages(); }
    // The kernel's text for the backend: CUDA C++, or PTX where `assembly`.
    virtual std::string source(const Module& module, const KernelOptions& options, bool assembly, Failure& failure) = 0;

protected:
    static Failure noImages() {
        return {"CudaSupportError",
                "PTX and machine code run on GPUs, and kernels run on the CPU here; KILN_OFFLOAD=auto has them run on the GPU"};
    }
};

}  // namespace kiln::gpu
