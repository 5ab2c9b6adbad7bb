// Where kernels run: the CPU, or a GPU. One for the process, chosen at the first use of device memory or of a launch.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/cpu/codegen_interface.h"
#include "gpu/ir/fault_record.h"

namespace kiln::gpu {

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
    std::vector<LinkedCode> links;
};

// A kernel compiled for one device of a backend. Its end frees the code; no launch of it may be under way on the host.
class CompiledKernel {
public:
    virtual ~CompiledKernel() = default;
    double milliseconds = 0;  // that the compilation took
    bool fromCache = false;
    std::atomic<int64_t> deviceNanoseconds{0};  // that its launches ran; counted while timesLaunches()
};

// What went wrong, as the name of an exception, its message, and the driver's status where one says so; empty: nothing.
struct Failure {
    std::string exception;
    std::string message;
    int code = 0;
    explicit operator bool() const { return !exception.empty(); }
};

inline constexpr const char* kCpuDeviceName = "kiln CPU backend";

// What programs ask about a device.
struct DeviceInfo {
    std::string name;
    std::string uuid = "GPU-00000000-0000-0000-0000-000000000000";
    int computeCapability = 75;
    int multiprocessors = 1;
    int sharedBytes = 48 << 10;
    int clockRate = 0;  // kHz
    size_t freeBytes = 0;
    size_t totalBytes = 0;
};

// Thread-safe; no call needs the GIL, and those that may wait should be made without it. Each thread uses one device at a
// time, the first until it selects another one; memory, streams, events and compiled kernels belong to the device in use.
class Backend {
public:
    virtual ~Backend() = default;
    virtual const char* name() const = 0;
    // Device memory can be read and written by the host at its address.
    virtual bool isHost() const = 0;
    virtual int deviceCount() { return 1; }
    virtual int selectedDevice() { return 0; }
    virtual Failure selectDevice(int device) { return {}; }
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
    // In the order of a stream: what it does later may use the memory, and what it did before may have.
    virtual Failure allocate(int64_t bytes, uintptr_t& address, uintptr_t stream = 0) = 0;
    virtual void release(uintptr_t address, uintptr_t stream = 0) = 0;
    virtual Failure copyIn(uintptr_t to, const void* from, int64_t bytes, uintptr_t stream) = 0;
    virtual Failure copyOut(void* to, uintptr_t from, int64_t bytes, uintptr_t stream) = 0;
    virtual Failure synchronize(uintptr_t stream) = 0;
    // Memory of the host that the device copies from and to without a detour.
    virtual Failure allocatePinned(int64_t bytes, uintptr_t& address) { return allocate(bytes, address); }
    virtual void releasePinned(uintptr_t address) { release(address); }
    // Memory at one address for host and device, which moves; freed by release().
    virtual Failure allocateManaged(int64_t bytes, uintptr_t& address) { return allocate(bytes, address); }
    virtual void releaseManaged(uintptr_t address) { release(address); }
    // Streams and events: numbers; 0 is the default stream. On the CPU all is done when a call returns.
    virtual Failure makeStream(uintptr_t& stream) { return stream = 0, Failure(); }
    virtual void releaseStream(uintptr_t stream) {}
    // Whether the default stream waits for this one by itself; not so for other libraries' streams.
    virtual bool waitsForDefault(uintptr_t stream) { return true; }
    virtual Failure makeEvent(uintptr_t& event) { return event = 0, Failure(); }
    virtual void releaseEvent(uintptr_t event) {}
    virtual Failure recordEvent(uintptr_t event, uintptr_t stream) { return {}; }
    // The host, or a stream, waits.
    virtual Failure waitForEvent(uintptr_t event, uintptr_t stream, bool onHost) { return {}; }
    // The block size with the best occupancy; 0 where it makes no difference.
    virtual int bestBlock(CompiledKernel& kernel, int64_t dynamicBytes) { return 0; }
    // How many blocks of a cooperative launch can run at the same time.
    virtual int64_t mostCooperativeBlocks(CompiledKernel& kernel, int64_t threads, int64_t dynamicBytes) = 0;
    // Pins memory of the program's for a while.
    virtual Failure pin(uintptr_t address, int64_t bytes) { return {}; }
    virtual void unpin(uintptr_t address) {}
    // From a place on a device to one on the device in use.
    virtual Failure copyWithin(uintptr_t to, uintptr_t from, int fromDevice, int64_t bytes, uintptr_t stream) = 0;
    // The device whose memory it is; the one in use where that cannot be told.
    virtual int deviceOf(uintptr_t address) { return 0; }
    virtual Failure queryEvent(uintptr_t event, bool& done) { return done = true, Failure(); }
    virtual Failure elapsed(uintptr_t start, uintptr_t end, double& milliseconds) {
        return milliseconds = 0, Failure();
    }
    virtual DeviceInfo device(int device) = 0;
    // Its name, UUID and compute capability: what needs no context on it.
    virtual DeviceInfo identity(int device) = 0;
    // By the driver's number; 0 for what the device does not have.
    virtual int deviceAttribute(int device, int number) { return 0; }
    // Tools such as Nsight record between these.
    virtual void profile(bool start) {}
    // The kernel's text for the backend: CUDA C++, or PTX where `assembly`.
    virtual std::string source(const Module& module, const KernelOptions& options, bool assembly, Failure& failure) = 0;
};

// The process's backend. nullptr with `failure` set when KILN_OFFLOAD=gpu asks for a GPU that cannot be used.
Backend* backend(Failure& failure);
// The one that runs on the CPU, whichever kernels run on. nullptr with `failure` set where there is no compiler.
Backend* cpuBackend(Failure& failure);
// The backend if one is chosen already and is this process's; else nullptr.
Backend* chosenBackend();
// What backend() chooses or would choose, found without starting CUDA, so that a fork stays safe.
struct Probe {
    bool onGpu = false;
    std::string reason;
    std::vector<DeviceInfo> devices;  // name, UUID and compute capability only; none when kernels cannot run
};
Probe probeBackend();
// Why it is the one it is: for the report and for doctor. Empty before it is chosen.
const std::string& backendReason();
// Whether launches are to be timed on the device: a report is asked for.
bool timesLaunches();

// Makes a device the calling thread's until the scope ends.
class DeviceScope {
public:
    DeviceScope(Backend& backend, int device) : backend_(backend), before_(backend.selectedDevice()) {
        changed_ = device != before_ && !backend.selectDevice(device);
    }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;
    ~DeviceScope() {
        if (changed_) {
            (void)backend_.selectDevice(before_);
        }
    }

private:
    Backend& backend_;
    int before_;
    bool changed_;
};

std::unique_ptr<Backend> makeCpuBackend(Failure& failure);
// nullptr with a CudaSupportError that says what is missing: the driver, a device, NVRTC.
std::unique_ptr<Backend> makeGpuBackend(Failure& failure);

}  // namespace kiln::gpu
