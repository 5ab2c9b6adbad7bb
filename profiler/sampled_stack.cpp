// Joins what was seen with what is there, and tells compiled frames from interpreted ones.
//
// Frames stand in runs: an evaluation loop has an entry shim and the frames that it interprets above it. Where it entered
// compiled code there is a stay (sampler.h) with the frame that was on top then; what stands above that, up to the next
// shim, are frames of compiled code.
#include "profiler/sampled_stack.h"

#include <algorithm>

#include "interp/cpython/sampling.h"

namespace kiln {
namespace {

// A deeper stack loses its outermost callers; the walk must stay cheap against the interval.
constexpr size_t kMostFrames = 2000;
constexpr size_t kMostStays = 1000;
// Where a frame that was seen is looked for; one further down is below what was seen, which is looked for everywhere.
constexpr size_t kMostTried = 64;
// Stays of other greenlets may lie between those of this one.
constexpr size_t kStaysTried = 4;

SampledFrame placed(PyCodeObject* code, int unit, ReportTier tier) {
    return {code, unit, 0, tier};
}

// The interpreter's top frame waits for a C function when it is at a call.
void tellC(SampledFrame& top) {
    if (top.tier == ReportTier::kInterpreted && top.line == 0 && kiln_unit_calls_c(top.code, top.unit)) {
        top.tier = ReportTier::kC;
    }
}

ReportTier tierOfSeen(const Peek& peek, int index) {
    bool isCompiled = index < peek.aboveStay || (index == peek.aboveStay && peek.stayOwnsFrame);
    return isCompiled ? peek.tier : ReportTier::kInterpreted;
}

}  // namespace

void SampledStack::markCompiled(KilnFrame* frame, size_t& above) {
    for (size_t i = nextStay_; i < stays_.size() && i < nextStay_ + kStaysTried;) {
        const SamplerStay& stay = stays_[i];
        if (stay.frame != frame) {
            i++;
            continue;
        }
        size_t own = live_.size() - (frame != nullptr ? 1 : 0);
        for (; above < own; above++) {
            live_[above].is.tier = stay.tier;
        }
        if (frame != nullptr && stay.code == live_[own].is.code) {
            live_[own].is.tier = stay.tier;
        }
        nextStay_ = ++i;
    }
}

void SampledStack::readLive(PyThreadState* owner, KilnFrame* frame) {
    live_.clear();
    stays_.clear();
    nextStay_ = 0;
    for (const SamplerStay* stay = currentStay.load(); stay != nullptr && stays_.size() < kMostStays;
         stay = stay->outer) {
        if (stay->thread == owner) {
            stays_.push_back(*stay);
        }
    }
    size_t above = 0;  // of the run, frames whose tier is not decided yet begin here
    while (frame != nullptr && live_.size() < kMostFrames) {
        KilnFrameView view = kiln_frame_view(frame);
        if (view.is_entry) {
            above = live_.size();
        } else {
            live_.push_back({frame, placed(view.code, view.unit, ReportTier::kInterpreted)});
            markCompiled(frame, above);
        }
        frame = view.previous;
    }
    if (frame == nullptr) {
        markCompiled(nullptr, above);
    }
}

// The frames seen that are gone by now. Returns the index of the first live one below them.
size_t SampledStack::addSeen(const Peek& peek) {
    if (peek.result == PeekResult::kFailed) {
        return 0;
    }
    for (int i = 0; i < peek.count; i++) {
        const PeekedFrame& seen = peek.frames[i];
        for (size_t join = 0; join < std::min(live_.size(), kMostTried); join++) {
            if (live_[join].frame != seen.frame || live_[join].is.code != seen.code) {
                continue;
            }
            live_[join].is.unit = kiln_code_unit_at(seen.code, seen.prevInstr);  // where it was then
            if (i == 0 || i <= peek.aboveStay) {
                live_[join].is.tier = tierOfSeen(peek, i);
            }
            return join;
        }
        if (seen.code != nullptr) {
            frames_.push_back(placed(seen.code, kiln_code_unit_at(seen.code, seen.prevInstr), tierOfSeen(peek, i)));
        }
    }
    for (size_t i = 0; i < live_.size(); i++) {
        if (live_[i].frame == peek.below) {
            return i;
        }
    }
    return live_.size();
}

void SampledStack::addTop(const Peek& peek, PyThreadState* thread, const PolledPlace& polled) {
    // Compiled code that polls knows best where it is, if it was running when the sample was due: either it said so
    // at its entry, or the frame in which it runs was the top one then.
    bool sameTop = peek.count == 0 || peek.frames[0].frame == kiln_current_frame(thread);
    bool wasCompiled = peek.tier == ReportTier::kQuick || peek.tier == ReportTier::kThorough;
    if (polled.code != nullptr && (wasCompiled || (currentStay.load() == nullptr && sameTop))) {
        if (frames_.empty() || frames_[0].code != polled.code) {
            frames_.insert(frames_.begin(), SampledFrame());
        }
        frames_[0] = {polled.code, -1, polled.line, polled.tier};
        return;
    }
    addStayCode(peek);
}

void SampledStack::addStayCode(const Peek& peek) {
    if (peek.stayCode == nullptr) {
        return;
    }
    if (frames_.empty() || frames_[0].code != peek.stayCode) {
        frames_.insert(frames_.begin(), {peek.stayCode, -1, peek.stayCode->co_firstlineno, peek.tier});
    }
    frames_[0].tier = peek.tier;
}

// The outermost frames of the place may be real, on top of the stack; the others, which were inlined or called without one, are not.
void SampledStack::addMarked(const CompiledFrames& place, ReportTier tier) {
    size_t real = std::min(place.size(), frames_.size());
    auto isOnTop = [&](size_t count) {
        for (size_t i = 0; i < count; i++) {
            if (frames_[i].code != place[place.size() - count + i].code) {
                return false;
            }
        }
        return true;
    };
    while (!isOnTop(real)) {
        real--;
    }
    std::vector<SampledFrame> marked;
    for (const CompiledFrame& frame : place) {
        if (frame.code != nullptr) {
            marked.push_back({frame.code, -1, frame.line, tier});
        }
    }
    frames_.erase(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(real));
    frames_.insert(frames_.begin(), marked.begin(), marked.end());
}

void SampledStack::build(const Peek& peek, PyThreadState* thread, const PolledPlace& polled, const CompiledPlaces& places) {
    bool isRunning = peek.thread == thread || peek.thread == nullptr;
    PyThreadState* owner = isRunning ? thread : peek.thread;
    readLive(owner, isRunning ? kiln_current_frame(thread) : kiln_thread_frame(peek.thread));
    frames_.clear();
    for (size_t i = addSeen(peek); i < live_.size(); i++) {
        frames_.push_back(live_[i].is);
    }
    const CompiledFrames* place = places.at(peek.mark, turn_++);
    if (place != nullptr && (polled.code == nullptr || polled.isMarked)) {
        addStayCode(peek);
        addMarked(*place, CompiledPlaces::tierOf(peek.mark));
    } else {
        addTop(peek, thread, polled);
    }
    tellTop(peek);
}

void SampledStack::tellTop(const Peek& peek) {
    if (frames_.empty()) {
        return;
    }
    bool isWork = frames_[0].tier == ReportTier::kKernel || frames_[0].tier == ReportTier::kCompiling;  // done by other threads
    if (peek.isIdle && !isWork) {
        frames_[0].tier = ReportTier::kIdle;
    } else if (peek.count > 0) {
        tellC(frames_[0]);
    }
}

void SampledStack::buildWithoutGil(const Peek& peek, const CompiledPlaces& places) {
    frames_.clear();
    for (int i = 0; i < peek.count && peek.frames[i].code != nullptr; i++) {
        const PeekedFrame& seen = peek.frames[i];
        frames_.push_back(placed(seen.code, kiln_code_unit_at(seen.code, seen.prevInstr), tierOfSeen(peek, i)));
    }
    if (const CompiledFrames* place = places.at(peek.mark, turn_++)) {
        addMarked(*place, CompiledPlaces::tierOf(peek.mark));
    }
    tellTop(peek);
}

}  // namespace kiln
