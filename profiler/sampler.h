// The sampler: every millisecond a thread of its own looks at what the Python threads do, and has the one that runs
// Python account for it.
//
// The thread never stops the program. It reads the top of the running thread's frame chain from outside
// (sampler_peek.h), then sets the evaluation breaker by a pending call. The pending call, GIL held, adds the elapsed
// time to the function and line that were seen, and to their callers. No signal is sent, so no system call of the
// program is interrupted.
//
// Time is wall time of the thread that runs; while none does, of the main thread.
#pragma once

#include <Python.h>

#include <atomic>
#include <limits>

#include "interp/cpython/cpython_shim.h"
#include "profiler/compiled_places.h"
#include "profiler/report_model.h"

namespace kiln {

// On average: it varies by half of it.
inline constexpr double kSampleIntervalMs = 1;

// Starts and ends sampling in the main interpreter. GIL held. Around a fork the thread ends by itself, is started
// again in the parent, and in the child by resetSampler(). startSampler() is false when no thread or watcher can be
// had.
bool startSampler();
// Ends the thread. What is sampled goes on to be noted by itself, unless sampling ends.
void stopSampler();
void endSampling();
// Nobody wants samples of what happens later than `time` of timelineNow(): the thread sleeps then.
inline constexpr double kForEver = std::numeric_limits<double>::infinity();
void sampleUntil(double time);
// In a forked child: forgets all samples and goes on. GIL held.
void resetSampler();
// In a forked child: nobody samples any more.
void forgetSampler();
// Accounts for what was seen up to now and hands over everything since the start or the last call. Without the GIL, outer
// callers of what was seen last miss that time.
void takeSamples(Report& report, bool holdingGil);

// ---- for compiled code ----

// True when samples wait to be accounted for. Any thread, no GIL, one load.
bool samplePending();
// Compiled code that polls, or leaves.
struct PolledPlace {
    PyCodeObject* code = nullptr;  // NULL: nobody tells
    int line = 0;
    ReportTier tier = ReportTier::kThorough;
    bool isMarked = false;  // it tells its place all the time: what was seen when the sample was due is right
};
// Accounts for the waiting samples as time of what polls. Compiled code calls this, GIL held, where it polls the evaluation
// breaker, before it leaves for the interpreter.
void takeSample(PyThreadState* thread, const PolledPlace& polled);
// The number of a place in code that is compiled from now on. GIL held.
int32_t numberOfPlace(const CompiledFrames& frames);
// What it tells (NativeContext::place) while it is at one of these places. Any thread.
int64_t markOfPlaces(const CompiledParts& parts, ReportTier tier);

// Whether somebody measures.
extern bool samplerWanted;

// A stretch of native time of one code object. Stays are nested, but for those of greenlets and threads, which end in any order.
struct SamplerStay {
    PyThreadState* thread = nullptr;
    KilnFrame* frame = nullptr;    // the thread's current frame at the beginning
    PyCodeObject* code = nullptr;  // NULL: not under way
    SamplerStay* outer = nullptr;
    SamplerStay* inner = nullptr;
    ReportTier tier = ReportTier::kThorough;
    const int64_t* place = nullptr;  // where its code tells a mark; may lie on the thread's stack
};
// The innermost stay; written with the GIL held.
extern std::atomic<SamplerStay*> currentStay;

// Around each entry of compiled code from the interpreter: tells the sampler about stays that end before the next poll. Python code
// run inside counts as interpreted. The stay must lie where no greenlet takes it away. Costs a load and a branch where nobody
// samples.
inline void beginStay(SamplerStay& stay, PyThreadState* thread, PyCodeObject* code, ReportTier tier, const int64_t* place = nullptr) {
    if (samplerWanted && code != nullptr) {
        SamplerStay* outer = currentStay.load(std::memory_order_relaxed);
        stay = {thread, kiln_current_frame(thread), code, outer, nullptr, tier, place};
        if (outer != nullptr) {
            outer->inner = &stay;
        }
        currentStay.store(&stay, std::memory_order_release);
    }
}
void endStay(SamplerStay& stay);

// A compilation for which the program waits, with kCompiling; the launch of a kernel; or a stay that no greenlet interrupts.
class SamplerScope {
public:
    SamplerScope(PyThreadState* thread, PyCodeObject* code, ReportTier tier = ReportTier::kThorough) {
        beginStay(stay_, thread, code, tier);
    }
    ~SamplerScope() { endStay(stay_); }
    SamplerScope(const SamplerScope&) = delete;
    SamplerScope& operator=(const SamplerScope&) = delete;

private:
    SamplerStay stay_;
};

// ---- for signal handlers ----

// Runs `hook` on the sampler's thread, without the GIL, soon. Async-signal-safe. False when that thread does not run.
bool runOnSampler(void (*hook)());

}  // namespace kiln
