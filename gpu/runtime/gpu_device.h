// One GPU of the process: its primary context, which CuPy and PyTorch use too, and what is kept for it.
#pragma once

#include <deque>
#include <functional>
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
    Failure allocate(uint64_t& address, size_t bytes, void* stream);
    void release(uint64_t address, void* stream) const;
    int attribute(int number) const;
    // Of any GPU, without a context.
    static DeviceInfo identity(const CudaDriver& driver, int ordinal);
    DeviceInfo info() const;
    // What a status means; an empty failure for 0. After some errors nothing on this GPU works for this process any more:
    // each later failure says so, with the first cause.
    Failure check(int status, const std::string& what);

    // The host waits: for a stream, for an event, for all that was asked of this GPU so far by kiln and on streams that wait for the
    // default one. Handlers of signals run meanwhile, so that the caller must not hold the GIL, nor a lock that they could want; when one
    // raises, the wait ends with interruption() and the work goes on.
    [[nodiscard]] Failure waitForStream(void* stream, const std::string& what);
    [[nodiscard]] Failure waitForEvent(void* event, const std::string& what);
    [[nodiscard]] Failure waitForAll(const std::string& what);
    // Whether work goes on for which a wait was given up: what blocks until it is over may block for ever.
    bool isLeftRunning();
    // Calls `release` when all that was asked so far is done: at once, or at some later call; never if the process ends first.
    void afterWork(std::function<void()> release);

    // An event that measures time, to be given back; nullptr when there is none.
    void* takeEvent();
    void giveEvent(void* event);

private:
    GpuDevice(const CudaDriver& driver, int ordinal, int device, void* context);
    template <typename Query>
    Failure waitUntil(void* stream, const Query& query, const std::string& what);
    bool isDone(void* event) const;

    struct Waiting {
        void* event;
        std::function<void()> release;
    };

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
    std::vector<void*> leftRunning_;  // events behind what nobody waits for any more
    std::deque<Waiting> waiting_;
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
