// The call stack of a sample: the frames that were seen from outside, continued by those that are still there, each with the
// tier in which it ran.
#pragma once

#include <Python.h>

#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "profiler/sampler.h"
#include "profiler/sampler_peek.h"

namespace kiln {

struct SampledFrame {
    PyCodeObject* code = nullptr;
    int unit = -1;  // of the instruction under way
    int line = 0;   // 0: that of the unit
    ReportTier tier = ReportTier::kInterpreted;
    bool operator==(const SampledFrame&) const = default;
};

// Scratch memory is kept from sample to sample.
class SampledStack {
public:
    // `thread` runs now, GIL held.
    void build(const Peek& peek, PyThreadState* thread, const PolledPlace& polled, const CompiledPlaces& places);
    // Without the GIL the callers further down are missing.
    void buildWithoutGil(const Peek& peek, const CompiledPlaces& places);
    // Top first; empty when nothing is known.
    const std::vector<SampledFrame>& frames() const { return frames_; }
    // Calls visit(code) for code objects that the next look may well meet, and that certainly live.
    template <typename Visit>
    void visitLive(Visit visit) const {
        for (size_t i = 0; i < live_.size() && i < Peek::kMostFrames; i++) {
            visit(live_[i].is.code);
        }
        if (!stays_.empty()) {
            visit(stays_[0].code);
        }
    }

private:
    struct LiveFrame {
        KilnFrame* frame;
        SampledFrame is;
    };

    void readLive(PyThreadState* owner, KilnFrame* frame);
    void markCompiled(KilnFrame* frame, size_t& above);
    size_t addSeen(const Peek& peek);
    void addTop(const Peek& peek, PyThreadState* thread, const PolledPlace& polled);
    void addStayCode(const Peek& peek);
    void tellTop(const Peek& peek);
    void addMarked(const CompiledFrames& place, ReportTier tier);

    std::vector<SampledFrame> frames_;
    std::vector<LiveFrame> live_;
    std::vector<SamplerStay> stays_;  // of the thread, innermost first
    size_t nextStay_ = 0;
    uint32_t turn_ = 0;  // among the places of marks
};

}  // namespace kiln
