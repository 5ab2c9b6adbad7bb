// One GPU of the process: its primary context, which CuPy and PyTorch use too, and what is kept for it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/driver/cuda_driver.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {

inline void* cudaHandle(uintptr_t number) {
    return reinterpret_cast<void*>(number);
}

// Lives until the process ends. Thread-safe. Calls of the driver need enter() before them, on the same thread.
class GpuDevice {
public:
    // nullptr with `failure`, a CudaSupportError.
    static std::unique_ptr<GpuDevice> open(const CudaDriver& driver, int ordinal, Failure& failure);
    GpuDevice(const GpuDevice&) = delete;
    GpuDevice& operator=(const GpuDevice&) = delete;

    const CudaDriver& driver() const { return driver_; }
    void enter() const { driver_.CtxSetCurrent(context_); }
    int ordinal() const { return ordinal_; }
    // 90 for sm_90.
    int architecture() const { return architecture_; }
    int dynamicSharedMost() const { return dynamicSharedMost_; }
    void* context() const { return context_; }
    // In the order of a stream, from a pool of kiln's own where the driver has pools. What memory was freed is given back and
    // waited for when there is too little.
    int allocate(uint64_t& address, size_t bytes, void* stream) const;
    void release(uint64_t address, void* stream) const;
    int attribute(int number) const;
    // Of any GPU, without a context.
    static DeviceInfo identity(const CudaDriver& driver, int ordinal);
    DeviceInfo info() const;
    // What a status means; an empty failure for 0. After some errors nothing on this GPU works for this process any more:
    // each later failure says so, with the first cause.
    Failure check(int status, const std::string& what);

    // An event that measures time, to be given back; nullptr when there is none.
    void* takeEvent();
    void giveEvent(void* event);

private:
    GpuDevice(const CudaDriver& driver, int ordinal, int device, void* context);

    const CudaDriver& driver_;
    int ordinal_;
    int device_;
    void* context_;
    int architecture_ = 0;
    int dynamicSharedMost_ = 0;
    void* pool_ = nullptr;
    std::mutex mutex_;
    std::string poison_;
    std::vector<void*> events_;
};

// A device's context is the thread's until the scope ends, which leaves the one that was.
class ContextScope {
public:
    explicit ContextScope(const GpuDevice& device) : device_(device) {
        device.driver().CtxGetCurrent(&before_);
        device.enter();
    }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;
    ~ContextScope() {
        if (before_ != nullptr && before_ != device_.context()) {
            device_.driver().CtxSetCurrent(before_);
        }
    }

private:
    const GpuDevice& device_;
    void* before_ = nullptr;
};

}  // namespace kiln::gpu
