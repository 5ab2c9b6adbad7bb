// Where kernels run: the CPU, or a GPU. One for the process, chosen at the first use of device memory or of a launch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/cpu/codegen_interface.h"
#include "gpu/ir/fault_record.h"

namespace kiln::gpu {

// Options of one kernel that its compiler sees.
struct KernelOptions {
    bool fastmath = false;
    bool lineinfo = false;
    bool debug = false;
    bool optimise = true;
    int maxRegisters = 0;
    int launchBounds[3] = {0, 0, 0};
};

// A kernel compiled for one backend, for ever.
class CompiledKernel {
   public:
    virtual ~CompiledKernel() = default;
    double milliseconds = 0;
    bool fromCache = false;
};

// What went wrong, as the name of an exception and its message; empty: nothing.
struct Failure {
    std::string exception;
    std::string message;
    explicit operator bool() const { return !exception.empty(); }
};

// What programs ask about a device.
struct DeviceInfo {
    std::string name;
    int computeCapability = 75;
    int multiprocessors = 1;
    int sharedBytes = 48 << 10;
    int clockRate = 0;  // kHz
    size_t freeBytes = 0;
    size_t totalBytes = 0;
};

// Thread-safe; no call needs the GIL, and those that may wait should be made without it.
class Backend {
   public:
    virtual ~Backend() = default;
    virtual const char* name() const = 0;
    // Device memory can be read and written by the host at its address.
    virtual bool isHost() const = 0;
    virtual std::unique_ptr<CompiledKernel> compile(const Module& module, const KernelOptions& options, Failure& failure) = 0;
    // Arguments are packed as argument_layout.h says. May return before the kernel ends.
    virtual Failure launch(CompiledKernel& kernel, const uint8_t* arguments, int64_t bytes, const LaunchShape& shape,
                           uintptr_t stream) = 0;
    // Of kernels with faults: what the launch that this thread made last left, which has ended then.
    virtual Failure takeFault(CompiledKernel& kernel, uintptr_t stream, FaultRecord& record) = 0;
    virtual Failure allocate(int64_t bytes, uintptr_t& address) = 0;
    virtual void release(uintptr_t address) = 0;
    virtual Failure copyIn(uintptr_t to, const void* from, int64_t bytes, uintptr_t stream) = 0;
    virtual Failure copyOut(void* to, uintptr_t from, int64_t bytes, uintptr_t stream) = 0;
    virtual Failure synchronize(uintptr_t stream) = 0;
    // Streams and events: numbers; 0 is the default stream. On the CPU all is done when a call returns.
    virtual Failure makeStream(uintptr_t& stream) { return stream = 0, Failure(); }
    virtual void releaseStream(uintptr_t stream) {}
    virtual Failure makeEvent(uintptr_t& event) { return event = 0, Failure(); }
    virtual void releaseEvent(uintptr_t event) {}
    virtual Failure recordEvent(uintptr_t event, uintptr_t stream) { return {}; }
    // The host, or a stream, waits.
    virtual Failure waitForEvent(uintptr_t event, uintptr_t stream, bool onHost) { return {}; }
    virtual Failure elapsed(uintptr_t start, uintptr_t end, double& milliseconds) { return milliseconds = 0, Failure(); }
    virtual DeviceInfo device() = 0;
    // The kernel's text for the backend: CUDA C++, or PTX where `assembly`.
    virtual std::string source(const Module& module, const KernelOptions& options, bool assembly, Failure& failure) = 0;
};

// The process's backend. nullptr with `failure` set when KILN_OFFLOAD=gpu asks for a GPU that cannot be used.
Backend* backend(Failure& failure);
// Why it is the one it is: for the report and for doctor. Empty before it is chosen.
const std::string& backendReason();

std::unique_ptr<Backend> makeCpuBackend(Failure& failure);
// nullptr with a CudaSupportError that says what is missing: the driver, a device, NVRTC.
std::unique_ptr<Backend> makeGpuBackend(Failure& failure);

}  // namespace kiln::gpu
