// Where kernels run: the CPU, or a GPU. One for the process, chosen at the first use of device memory or of a launch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/code_backend.h"
#include "gpu/runtime/memory_backend.h"
#include "gpu/runtime/queue_backend.h"

namespace kiln::gpu {

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
class Backend : public MemoryBackend, public QueueBackend, public CodeBackend {
public:
    virtual const char* name() const = 0;
    virtual int deviceCount() { return 1; }
    virtual int selectedDevice() { return 0; }
    virtual Failure selectDevice(int device) { return {}; }
    virtual DeviceInfo device(int device) = 0;
    // Its name, UUID and compute capability: what needs no context on it.
    virtual DeviceInfo identity(int device) = 0;
    // By the driver's number; 0 for what the device does not have.
    virtual int deviceAttribute(int device, int number) { return 0; }
    // The driver's context of a device; 0 where there is none.
    virtual uintptr_t contextHandle(int device) { return 0; }
    // Whether kernels on one device may use the memory of another, and for the device in use that they may from now on.
    virtual bool canAccessPeer(int device, int peer) { return false; }
    virtual Failure enablePeerAccess(uintptr_t context) {
        return {"CudaSupportError", "there is one device, the CPU, which has no peers; KILN_OFFLOAD=auto has kernels run on the GPU"};
    }
    // Tools such as Nsight record between these.
    virtual void profile(bool start) {}
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
