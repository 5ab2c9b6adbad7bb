// The sampler's thread, its buffer of peeks, and their attribution.
#include "profiler/sampler.h"

#include <pthread.h>
#include <semaphore.h>

#include <ctime>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "interp/cpython/sampling.h"
#include "interp/support/native_thread.h"
#include "profiler/compiled_places.h"
#include "profiler/sampled_stack.h"
#include "profiler/sampler_peek.h"
#include "profiler/sampler_records.h"
#include "profiler/timeline_events.h"

namespace kiln {

std::atomic<SamplerStay*> currentStay{nullptr};
bool samplerWanted = false;

namespace {

constexpr size_t kMostPeeks = 256;
// A request that is not served for this long may have been lost by a race on the breaker: it is repeated.
constexpr int kRepeatTicks = 50;

// Processor time of a thread of this process, which may be another one; 0 once it has ended.
double secondsOf(clockid_t threadClock) {
    timespec time = {};
    clock_gettime(threadClock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Sampler {
public:
    bool start();
    void stop();
    void begin();
    void reset();
    void restartAfterFork();
    void drain(PyThreadState* thread, const PolledPlace& polled);
    void drainLocked(PyThreadState* thread, const PolledPlace& polled);
    void meet(PyCodeObject* code);
    int32_t numberOfPlace(const CompiledFrames& frames);
    int64_t markOfPlaces(const CompiledParts& parts, ReportTier tier);
    void forget(PyCodeObject* code);
    void lose(const void* from, size_t size);
    void handOver(Report& report, bool holdingGil);
    bool pending() const { return waiting_.load(std::memory_order_relaxed) != 0; }
    bool runHook(void (*hook)());
    void sampleUntil(double time);
    // For a fork, which must find nobody at work.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void served() { queued_.store(false, std::memory_order_relaxed); }
    bool installed = false;  // watcher and fork handlers, which stay

private:
    static void run(void* self);
    void loop();
    long nextPause();
    void pause();
    void tick();
    void remember(Peek& peek);
    void record(const Peek& peek);
    void addThreadTime();

    std::mutex mutex_;  // guards what follows, up to threadTime_
    std::vector<Peek> peeks_;
    Peek last_;
    SamplerRecords records_;
    CompiledPlaces places_;
    std::unordered_set<PyCodeObject*> alive_;  // code objects created since the start, or met alive
    double overhead_ = 0;
    // The thread's clock, asked only when somebody wants to know: that is a system call. Up to which time it is in overhead_.
    std::optional<clockid_t> threadClock_;
    double threadTime_ = 0;
    std::atomic<size_t> waiting_{0};
    std::atomic<bool> queued_{false};
    std::atomic<bool> stopping_{false};
    std::atomic<bool> running_{false};
    std::atomic<void (*)()> hook_{nullptr};
    std::atomic<double> until_{kForEver};
    bool lapsed_ = false;  // the thread's own: it has ticked since until_
    int ticksQueued_ = 0;
    double lastTick_ = 0;
    uint64_t random_ = 0x9e3779b97f4a7c15;
    sem_t wake_;
    NativeThread thread_;
    SampledStack stack_;  // scratch of drain()
};

Sampler& sampler() {
    // Never destroyed: its thread and atfork handlers may outlive static destructors.
    static Sampler& instance = *new Sampler;
    return instance;
}

int servePending(void*) {
    sampler().served();
    sampler().drain(PyThreadState_Get(), {});
    return 0;
}

int restartPending(void*) {
    sampler().restartAfterFork();
    return 0;
}

int watchCode(PyCodeEvent event, PyCodeObject* code) {
    event == PY_CODE_EVENT_CREATE ? sampler().meet(code) : sampler().forget(code);
    return 0;
}

// os.fork() counts the threads of the process: the sampler's must be gone before, and come back only when Python runs
// again.
void beforeFork() {
    sampler().stop();
    sampler().lock();
}

void afterForkInChild() {
    sampler().unlock();
}

void afterForkInParent() {
    sampler().unlock();
    if (samplerWanted) {
        kiln_request_call(restartPending, nullptr);
    }
}

bool Sampler::start() {
    samplerWanted = true;
    if (running_) {
        return true;
    }
    preparePeeks([](const void* from, size_t size) { sampler().lose(from, size); });
    sem_init(&wake_, 0, 0);
    stopping_ = false;
    queued_ = false;
    lapsed_ = false;
    lastTick_ = timelineNow();
    running_ = thread_.start("kiln-sampler", run, this);
    return running_;
}

void Sampler::stop() {
    if (!running_) {
        return;
    }
    stopping_ = true;
    sem_post(&wake_);
    thread_.join();
    running_ = false;
}

void Sampler::restartAfterFork() {
    if (samplerWanted) {
        start();
    }
}

void Sampler::begin() {
    peeks_.clear();
    last_ = Peek();
    records_.restart(timelineNow());
    overhead_ = 0;
    waiting_ = 0;
}

void Sampler::reset() {
    begin();
    forgetTimelineEvents();
    start();
}

bool Sampler::runHook(void (*hook)()) {
    if (!running_) {
        return false;
    }
    hook_ = hook;
    return sem_post(&wake_) == 0;
}

void Sampler::run(void* self) {
    static_cast<Sampler*>(self)->loop();
}

void Sampler::loop() {
    {
        std::lock_guard lock(mutex_);
        threadTime_ = 0;
        clockid_t clock;
        if (pthread_getcpuclockid(pthread_self(), &clock) == 0) {
            threadClock_ = clock;
        }
    }
    while (true) {
        pause();
        if (stopping_) {
            break;
        }
        if (void (*hook)() = hook_.exchange(nullptr)) {
            hook();
        }
        tick();
    }
    std::lock_guard lock(mutex_);
    addThreadTime();
    threadClock_.reset();
}

// Holding mutex_, where the thread runs.
void Sampler::addThreadTime() {
    if (threadClock_) {
        double now = secondsOf(*threadClock_);
        overhead_ += now - threadTime_;
        threadTime_ = now;
    }
}

void Sampler::pause() {
    if (lapsed_ && timelineNow() > until_) {
        sem_wait(&wake_);
        lastTick_ = timelineNow();
        return;
    }
    timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec += nextPause();
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    sem_clockwait(&wake_, CLOCK_MONOTONIC, &deadline);
}

void Sampler::sampleUntil(double time) {
    bool sleeps = timelineNow() > until_;
    until_ = time;
    if (sleeps && running_) {
        sem_post(&wake_);
    }
}

// Nanoseconds from half to one and a half of the interval: a fixed rhythm would always meet a program that repeats itself
// at the same place.
long Sampler::nextPause() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    double part = static_cast<double>(random_ >> 11) / 9007199254740992.0;
    return static_cast<long>(kSampleIntervalMs * 1e6 * (0.5 + part));
}

void Sampler::tick() {
    {
        // Held while looking, so that no code object in sight is destroyed unseen.
        std::lock_guard lock(mutex_);
        Peek peek;
        peekStack(peek, last_, [](PyCodeObject* code) { return sampler().alive_.contains(code); });
        last_ = peek;
        double now = timelineNow();
        peek.at = lastTick_;
        peek.seconds = now - lastTick_;
        peek.ticks = 1;
        lastTick_ = now;
        remember(peek);
    }
    bool isNew = !queued_.exchange(true);
    ticksQueued_ = isNew ? 0 : ticksQueued_ + 1;
    // The last tick must be heard of: whoever ends the measurement is called by it, and one that is queued may come too early.
    lapsed_ = lastTick_ > until_;
    if (isNew || lapsed_ || ticksQueued_ % kRepeatTicks == 0) {
        kiln_request_call(servePending, nullptr);
    }
}

void Sampler::remember(Peek& peek) {
    bool full = peeks_.size() == kMostPeeks;
    if (!peeks_.empty() && (full || peeks_.back().sameAs(peek))) {
        peeks_.back().seconds += peek.seconds;
        peeks_.back().ticks += peek.ticks;
        return;
    }
    peeks_.push_back(peek);
    waiting_.store(peeks_.size(), std::memory_order_relaxed);
}

void Sampler::meet(PyCodeObject* code) {
    std::lock_guard lock(mutex_);
    alive_.insert(code);
}

int32_t Sampler::numberOfPlace(const CompiledFrames& frames) {
    std::lock_guard lock(mutex_);
    return places_.numberOf(frames);
}

int64_t Sampler::markOfPlaces(const CompiledParts& parts, ReportTier tier) {
    std::lock_guard lock(mutex_);
    return places_.markOf(parts, tier);
}

void Sampler::forget(PyCodeObject* code) {
    std::lock_guard lock(mutex_);
    alive_.erase(code);
    records_.forget(code);
    places_.forget(code);
    for (Peek& peek : peeks_) {
        peek.stayCode = peek.stayCode == code ? nullptr : peek.stayCode;
        for (int i = 0; i < peek.count; i++) {
            if (peek.frames[i].code == code) {
                peek.frames[i].code = nullptr;
            }
        }
    }
}

void Sampler::lose(const void* from, size_t size) {
    std::lock_guard lock(mutex_);
    forgetMemory(from, size);
}

// While the sampler's thread looks, which it may do for long on a busy machine, the program goes on: the thread will ask again.
void Sampler::drain(PyThreadState* thread, const PolledPlace& polled) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) {
        drainLocked(thread, polled);
    }
}

void Sampler::drainLocked(PyThreadState* thread, const PolledPlace& polled) {
    double start = timelineNow();
    meetStacks(thread);
    for (const Peek& peek : peeks_) {
        if (peek.result != PeekResult::kIdle) {
            stack_.build(peek, thread, polled, places_);
            record(peek);
            stack_.visitLive([this](PyCodeObject* code) { alive_.insert(code); });
        }
    }
    peeks_.clear();
    waiting_.store(0, std::memory_order_relaxed);
    overhead_ += timelineNow() - start;
}

void Sampler::record(const Peek& peek) {
    if (!stack_.frames().empty()) {
        records_.attribute(stack_.frames(), peek.at, peek.seconds, peek.ticks);
    }
}

void Sampler::handOver(Report& report, bool holdingGil) {
    std::lock_guard lock(mutex_);
    if (holdingGil) {
        drainLocked(PyThreadState_Get(), {});
    }
    for (const Peek& peek : peeks_) {
        stack_.buildWithoutGil(peek, places_);
        record(peek);
    }
    peeks_.clear();
    records_.addTo(report);
    takeTimelineEvents(report.timeline);
    addThreadTime();
    report.overheadMs += overhead_ * 1000;
    report.intervalMs = kSampleIntervalMs;
    records_.restart(timelineNow());
    overhead_ = 0;
}

}  // namespace

void endStay(SamplerStay& stay) {
    if (stay.code == nullptr) {
        return;  // nobody sampled when it began
    }
    stay.code = nullptr;
    if (stay.outer != nullptr) {
        stay.outer->inner = stay.inner;
    }
    if (stay.inner != nullptr) {
        stay.inner->outer = stay.outer;
    } else {
        currentStay.store(stay.outer, std::memory_order_release);
    }
}

bool startSampler() {
    Sampler& s = sampler();
    if (!s.installed) {
        if (PyCode_AddWatcher(watchCode) < 0) {
            PyErr_Clear();
            return false;
        }
        pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
        s.installed = true;
    }
    if (!samplerWanted) {
        s.begin();
    }
    return s.start();
}

void stopSampler() {
    sampler().stop();
}

void endSampling() {
    sampler().stop();
    samplerWanted = false;
}

void forgetSampler() {
    samplerWanted = false;
}

void resetSampler() {
    sampler().reset();
}

void takeSamples(Report& report, bool holdingGil) {
    sampler().handOver(report, holdingGil);
}

void sampleUntil(double time) {
    sampler().sampleUntil(time);
}

bool samplePending() {
    return sampler().pending();
}

void takeSample(PyThreadState* thread, const PolledPlace& polled) {
    sampler().drain(thread, polled);
}

int32_t numberOfPlace(const CompiledFrames& frames) {
    return sampler().numberOfPlace(frames);
}

int64_t markOfPlaces(const CompiledParts& parts, ReportTier tier) {
    return sampler().markOfPlaces(parts, tier);
}

bool runOnSampler(void (*hook)()) {
    return sampler().runHook(hook);
}

}  // namespace kiln
