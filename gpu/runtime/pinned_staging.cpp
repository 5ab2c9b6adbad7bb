// Copies through a ring of pinned buffers.
#include "gpu/runtime/pinned_staging.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "gpu/cpu/thread_pool.h"
#include "gpu/runtime/interrupts.h"
#include "interp/config.h"

namespace kiln::gpu {
namespace {

constexpr size_t kPiece = size_t(512) << 10;  // what one thread copies at a time
constexpr int kMostThreads = 8;               // more do not make memory faster
constexpr auto kPause = std::chrono::milliseconds(20);
constexpr const char* kIn = "copying to the GPU";
constexpr const char* kOut = "copying from the GPU";

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

// Handlers of signals run while this waits. Without buffers the caller has no turn.
Failure PinnedStaging::takeTurn(bool& hasBuffers) {
    hasBuffers = false;
    if (owner_ == std::this_thread::get_id()) {  // in a handler, while it waits itself
        return {};
    }
    while (!mutex_.try_lock_for(kPause)) {
        if (signalHandlerRaised()) {
            return interruption();
        }
    }
    owner_ = std::this_thread::get_id();
    hasBuffers = prepare();
    if (!hasBuffers) {
        endTurn();
    }
    return {};
}

void PinnedStaging::endTurn() {
    owner_ = std::thread::id();
    mutex_.unlock();
}

Failure PinnedStaging::copyIn(uint64_t to, const void* from, size_t bytes, void* stream) {
    bool hasBuffers = false;
    if (Failure failure = takeTurn(hasBuffers)) {
        return failure;
    }
    if (!hasBuffers) {  // the driver copies in its own way, and has read all when it returns
        Failure failure = device_.waitForStream(stream, kIn);
        return failure ? failure : device_.check(device_.driver().MemcpyHtoD(to, from, bytes, stream), kIn);
    }
    Failure failure = pourIn(to, static_cast<const uint8_t*>(from), bytes, stream);
    endTurn();
    return failure;
}

Failure PinnedStaging::pourIn(uint64_t to, const uint8_t* from, size_t bytes, void* stream) {
    const CudaDriver& driver = device_.driver();
    for (size_t chunk = 0; chunk * kChunk < bytes; chunk++) {
        size_t offset = chunk * kChunk;
        size_t size = std::min(kChunk, bytes - offset);
        size_t slot = chunk % kBuffers;
        if (Failure failure = device_.waitForEvent(events_[slot], kIn)) {
            return failure;
        }
        copyBytes(buffers_[slot], from + offset, size);
        int status = driver.MemcpyHtoD(to + offset, buffers_[slot], size, stream);
        status = status != 0 ? status : driver.EventRecord(events_[slot], stream);
        if (Failure failure = device_.check(status, kIn)) {
            return failure;
        }
    }
    return {};
}

Failure PinnedStaging::copyOut(void* to, uint64_t from, size_t bytes, void* stream) {
    bool hasBuffers = false;
    Failure failure = takeTurn(hasBuffers);
    if (!failure && hasBuffers) {
        failure = pourOut(static_cast<uint8_t*>(to), from, bytes, stream);
        endTurn();
        return failure;
    }
    failure = failure ? failure : device_.waitForStream(stream, kOut);
    failure = failure ? failure : device_.check(device_.driver().MemcpyDtoH(to, from, bytes, stream), kOut);
    return failure ? failure : device_.waitForStream(stream, kOut);
}

// A chunk that the GPU was asked for, out of its buffer.
Failure PinnedStaging::takeOut(size_t chunk, uint8_t* to, size_t bytes) {
    size_t slot = chunk % kBuffers;
    if (Failure failure = device_.waitForEvent(events_[slot], kOut)) {
        return failure;
    }
    copyBytes(to + chunk * kChunk, buffers_[slot], std::min(kChunk, bytes - chunk * kChunk));
    return {};
}

// Asks for a chunk, when what was in its buffer has been read.
Failure PinnedStaging::askFor(size_t chunk, uint64_t from, size_t bytes, void* stream) {
    const CudaDriver& driver = device_.driver();
    size_t slot = chunk % kBuffers;
    size_t offset = chunk * kChunk;
    if (Failure failure = device_.waitForEvent(events_[slot], kOut)) {
        return failure;
    }
    int status = driver.MemcpyDtoH(buffers_[slot], from + offset, std::min(kChunk, bytes - offset), stream);
    return device_.check(status != 0 ? status : driver.EventRecord(events_[slot], stream), kOut);
}

Failure PinnedStaging::pourOut(uint8_t* to, uint64_t from, size_t bytes, void* stream) {
    constexpr size_t kAhead = kBuffers - 1;
    size_t chunks = (bytes + kChunk - 1) / kChunk;
    for (size_t chunk = 0; chunk < chunks + kAhead; chunk++) {
        bool isThere = chunk >= kAhead && chunk - kAhead < chunks;
        Failure failure = isThere ? takeOut(chunk - kAhead, to, bytes) : Failure();
        failure = failure || chunk >= chunks ? failure : askFor(chunk, from, bytes, stream);
        if (failure) {
            return failure;
        }
    }
    return {};
}

}  // namespace kiln::gpu
