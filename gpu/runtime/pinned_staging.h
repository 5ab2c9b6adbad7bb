// Copies between the host's pageable memory and a GPU, through a ring of pinned buffers: while the GPU copies one chunk, the
// CPU copies the next.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "gpu/runtime/gpu_device.h"

namespace kiln::gpu {

// One copy at a time; others wait, and what a signal's handler copies meanwhile goes the driver's way. The buffers are made at the first copy and kept. Call GpuDevice::enter() before.
class PinnedStaging {
   public:
    explicit PinnedStaging(GpuDevice& device) : device_(device) {}
    PinnedStaging(const PinnedStaging&) = delete;
    PinnedStaging& operator=(const PinnedStaging&) = delete;

    // Returns when `from` may be changed; the device has it when the stream gets there.
    Failure copyIn(uint64_t to, const void* from, size_t bytes, void* stream);
    // Returns when `to` has all of it.
    Failure copyOut(void* to, uint64_t from, size_t bytes, void* stream);

   private:
    static constexpr size_t kBuffers = 4;
    static constexpr size_t kChunk = size_t(4) << 20;

    // The part of copyIn() and of copyOut() that has the buffers to itself.
    Failure pourIn(uint64_t to, const uint8_t* from, size_t bytes, void* stream);
    Failure pourOut(uint8_t* to, uint64_t from, size_t bytes, void* stream);
    Failure askFor(size_t chunk, uint64_t from, size_t bytes, void* stream);
    Failure takeTurn(bool& hasBuffers);
    void endTurn();
    bool prepare();
    Failure takeOut(size_t chunk, uint8_t* to, size_t bytes);

    GpuDevice& device_;
    std::timed_mutex mutex_;
    std::atomic<std::thread::id> owner_;  // has the turn
    uint8_t* buffers_[kBuffers] = {};
    void* events_[kBuffers] = {};  // when the GPU is done with the buffer
    bool isReady_ = false;
};

}  // namespace kiln::gpu
