// Waits for one GPU, which end when a signal's handler raises.
#include <algorithm>
#include <chrono>
#include <thread>

#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/interrupts.h"

namespace kiln::gpu {
namespace {

constexpr int kNotReady = 600;
constexpr auto kAwake = std::chrono::milliseconds(2);    // a shorter wait costs no sleep
constexpr auto kLongest = std::chrono::milliseconds(1);  // a sleep
constexpr int kShare = 50;                               // of the time waited so far that a sleep may take

}  // namespace

// The driver's own waits cannot be interrupted.
template <typename Query>
Failure GpuDevice::waitUntil(void* stream, const Query& query, const std::string& what) {
    auto start = std::chrono::steady_clock::now();
    for (;;) {
        int status = query();
        if (status != kNotReady) {
            return check(status, what);
        }
        if (signalHandlerRaised()) {
            void* event = takeEvent();
            std::lock_guard<std::mutex> lock(mutex_);
            driver_.EventRecord(event, stream);
            leftRunning_.push_back(event);
            return interruption();
        }
        auto waited = std::chrono::steady_clock::now() - start;
        if (waited > kAwake) {
            std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(waited / kShare, kLongest));
        }
    }
}

Failure GpuDevice::waitForStream(void* stream, const std::string& what) {
    return waitUntil(
        stream, [&] { return driver_.StreamQuery(stream); }, what);
}

Failure GpuDevice::waitForEvent(void* event, const std::string& what) {
    return waitUntil(
        nullptr, [&] { return driver_.EventQuery(event); }, what);
}

// An event on the default stream is behind all streams that wait for it; those of other libraries that do not are for the driver.
Failure GpuDevice::waitForAll(const std::string& what) {
    void* event = takeEvent();
    int status = driver_.EventRecord(event, nullptr);
    Failure failure = status == 0 ? waitForEvent(event, what) : check(status, what);
    giveEvent(event);
    return failure ? failure : check(driver_.CtxSynchronize(), what);
}

bool GpuDevice::isDone(void* event) const {
    return driver_.EventQuery(event) != kNotReady;
}

bool GpuDevice::isLeftRunning() {
    std::lock_guard<std::mutex> lock(mutex_);
    auto firstDone =
        std::partition(leftRunning_.begin(), leftRunning_.end(), [&](void* event) { return !isDone(event); });
    events_.insert(events_.end(), firstDone, leftRunning_.end());
    leftRunning_.erase(firstDone, leftRunning_.end());
    return !leftRunning_.empty();
}

void GpuDevice::afterWork(std::function<void()> release) {
    void* event = takeEvent();
    driver_.EventRecord(event, nullptr);
    std::vector<Waiting> ready;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        waiting_.push_back({event, std::move(release)});
        while (!waiting_.empty() && isDone(waiting_.front().event)) {
            events_.push_back(waiting_.front().event);
            ready.push_back(std::move(waiting_.front()));
            waiting_.pop_front();
        }
    }
    for (const Waiting& item : ready) {
        item.release();
    }
}

}  // namespace kiln::gpu
