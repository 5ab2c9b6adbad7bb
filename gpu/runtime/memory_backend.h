// Memory of devices, and of the host for them.
#pragma once

#include <cstdint>

#include "gpu/runtime/failure.h"

namespace kiln::gpu {

// What stands for device memory in other processes.
struct IpcHandle {
    unsigned char bytes[64] = {};
};

// Thread-safe; no call needs the GIL, and those that may wait should be made without it. Memory belongs to the device in use.
class MemoryBackend {
public:
    virtual ~MemoryBackend() = default;
    // Device memory can be read and written by the host at its address.
    virtual bool isHost() const = 0;
    // In the order of a stream: what it does later may use the memory, and what it did before may have.
    virtual Failure allocate(int64_t bytes, uintptr_t& address, uintptr_t stream = 0) = 0;
    virtual void release(uintptr_t address, uintptr_t stream = 0) = 0;
    virtual Failure copyIn(uintptr_t to, const void* from, int64_t bytes, uintptr_t stream) = 0;
    virtual Failure copyOut(void* to, uintptr_t from, int64_t bytes, uintptr_t stream) = 0;
    // Memory of the host that the device copies from and to without a detour.
    virtual Failure allocatePinned(int64_t bytes, uintptr_t& address) { return allocate(bytes, address); }
    virtual void releasePinned(uintptr_t address) { release(address); }
    // Memory at one address for host and device, which moves; freed by release().
    virtual Failure allocateManaged(int64_t bytes, uintptr_t& address) { return allocate(bytes, address); }
    virtual void releaseManaged(uintptr_t address) { release(address); }
    // Memory that other processes of the machine can open; the handle is of the allocation that begins at `begin`.
    virtual Failure allocateShareable(int64_t bytes, uintptr_t& address) { return notShared(); }
    virtual void releaseShareable(uintptr_t address) {}
    virtual Failure exportMemory(uintptr_t address, IpcHandle& handle, uintptr_t& begin) { return notShared(); }
    virtual Failure openMemory(const IpcHandle& handle, uintptr_t& address) { return notShared(); }
    virtual void closeMemory(uintptr_t address) {}
    // Pins memory of the program's for a while.
    virtual Failure pin(uintptr_t address, int64_t bytes) { return {}; }
    virtual void unpin(uintptr_t address) {}
    // From a place on a device to one on the device in use.
    virtual Failure copyWithin(uintptr_t to, uintptr_t from, int fromDevice, int64_t bytes, uintptr_t stream) = 0;
    // The device whose memory it is; the one in use where that cannot be told.
    virtual int deviceOf(uintptr_t address) { return 0; }

protected:
    static Failure notShared() {
        return {"CudaSupportError", "processes share the memory of GPUs, and kernels run on the CPU here; KILN_OFFLOAD=auto has them run on the GPU"};
    }
};

}  // namespace kiln::gpu
