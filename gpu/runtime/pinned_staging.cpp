// Copies through a ring of pinned buffers.
#include "gpu/runtime/pinned_staging.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "gpu/cpu/thread_pool.h"
#include "interp/config.h"

namespace kiln::gpu {
namespace {

constexpr size_t kPiece = size_t(512) << 10;  // what one thread copies at a time
constexpr int kMostThreads = 8;               // more do not make memory faster

// One thread reaches a third of what PCI Express carries.
void copyBytes(uint8_t* to, const uint8_t* from, size_t bytes) {
    if (bytes <= 2 * kPiece) {
        std::memcpy(to, from, bytes);
        return;
    }
    int wish = std::atoi(config().numThreadsText.c_str());
    int threads = wish > 0 ? wish : static_cast<int>(std::thread::hardware_concurrency());
    auto pieces = static_cast<int64_t>((bytes + kPiece - 1) / kPiece);
    parallelFor(pieces, std::clamp(threads, 1, kMostThreads), [&](int64_t first, int64_t end) {
        size_t begin = static_cast<size_t>(first) * kPiece;
        std::memcpy(to + begin, from + begin, std::min(bytes, static_cast<size_t>(end) * kPiece) - begin);
    });
}

}  // namespace

bool PinnedStaging::prepare() {
    const CudaDriver& driver = device_.driver();
    if (!isReady_) {
        void* memory = nullptr;
        isReady_ = driver.MemHostAlloc(&memory, kBuffers * kChunk, 0) == 0;
        for (size_t i = 0; i < kBuffers && isReady_; i++) {
            buffers_[i] = static_cast<uint8_t*>(memory) + i * kChunk;
            events_[i] = device_.takeEvent();
            isReady_ = events_[i] != nullptr;
        }
    }
    return isReady_;
}

Failure PinnedStaging::copyIn(uint64_t to, const void* from, size_t bytes, void* stream) {
    const CudaDriver& driver = device_.driver();
    std::lock_guard<std::mutex> lock(mutex_);
    if (!prepare()) {  // no memory can be pinned: the driver copies in its own way, and has read all when it returns
        return device_.check(driver.MemcpyHtoD(to, from, bytes, stream), "copying to the GPU");
    }
    auto* source = static_cast<const uint8_t*>(from);
    int status = 0;
    for (size_t chunk = 0; chunk * kChunk < bytes && status == 0; chunk++) {
        size_t offset = chunk * kChunk;
        size_t size = std::min(kChunk, bytes - offset);
        size_t slot = chunk % kBuffers;
        status = driver.EventSynchronize(events_[slot]);
        if (status == 0) {
            copyBytes(buffers_[slot], source + offset, size);
            status = driver.MemcpyHtoD(to + offset, buffers_[slot], size, stream);
        }
        if (status == 0) {
            status = driver.EventRecord(events_[slot], stream);
        }
    }
    return device_.check(status, "copying to the GPU");
}

// A chunk that the GPU was asked for, out of its buffer.
Failure PinnedStaging::takeOut(size_t chunk, uint8_t* to, size_t bytes) {
    size_t slot = chunk % kBuffers;
    if (Failure failure = device_.check(device_.driver().EventSynchronize(events_[slot]), "copying from the GPU")) {
        return failure;
    }
    copyBytes(to + chunk * kChunk, buffers_[slot], std::min(kChunk, bytes - chunk * kChunk));
    return {};
}

Failure PinnedStaging::copyOut(void* to, uint64_t from, size_t bytes, void* stream) {
    const CudaDriver& driver = device_.driver();
    std::lock_guard<std::mutex> lock(mutex_);
    if (!prepare()) {
        int status = driver.MemcpyDtoH(to, from, bytes, stream);
        return device_.check(status == 0 ? driver.StreamSynchronize(stream) : status, "copying from the GPU");
    }
    auto* target = static_cast<uint8_t*>(to);
    size_t chunks = (bytes + kChunk - 1) / kChunk;
    for (size_t chunk = 0; chunk < chunks + kBuffers - 1; chunk++) {
        if (chunk >= kBuffers - 1 && chunk - (kBuffers - 1) < chunks) {
            if (Failure failure = takeOut(chunk - (kBuffers - 1), target, bytes)) {
                return failure;
            }
        }
        if (chunk < chunks) {
            size_t slot = chunk % kBuffers;
            size_t offset = chunk * kChunk;
            int status = driver.EventSynchronize(events_[slot]);  // an earlier copy in may still read the buffer
            if (status == 0) {
                status = driver.MemcpyDtoH(buffers_[slot], from + offset, std::min(kChunk, bytes - offset), stream);
            }
            if (status == 0) {
                status = driver.EventRecord(events_[slot], stream);
            }
            if (Failure failure = device_.check(status, "copying from the GPU")) {
                return failure;
            }
        }
    }
    return {};
}

}  // namespace kiln::gpu
