// Whether to record and compile at all: what it costs against what it can win in the time that the program may still run.
#include <algorithm>
#include <ranges>
#include <utility>

#include "interp/config.h"
#include "interp/support/monotonic_clock.h"
#include "jit/engine/engine.h"

namespace kiln {
namespace {

// Before a region is built; after that prospect.h estimates. Some of the compile thread's time would have gone unused.
constexpr double kLeastCompilationMs = 12;
constexpr double kCompilationShare = 0.4;
// Regions that gain so much, and take a part of the time, are compiled at once. The others must have lost so much in the
// interpreter already: many are hot for a moment only.
constexpr double kPlainGain = 2.5;
constexpr double kNotablePart = 0.05;
constexpr double kLeastLostMs = 1;
// What takes longer must pay off, however plain the gain: everything else waits behind it.
constexpr double kLongCompilationMs = 500;
// Before a region is built nobody knows how long an iteration takes by itself: no more than this.
constexpr double kMostOwnNs = 4000;
// Leaving compiled code, and the way back into it.
constexpr double kExitNs = 1000;
constexpr double kNsPerMs = 1e6;
// Of each counted iteration or call, an event; a root that is compiled or given up has none.
constexpr double kCountingNs = 50;
constexpr double kLeastNs = 10;

bool decidesByCounts() {
    return config().jitAlways || config().threshold > 0;
}

}  // namespace

// In mode always, where everything is compiled, new versions of one root would take most of the time.
bool JitEngine::mayCompileAgain(const Root& root) {
    constexpr int kMostCompilesAlways = 6;
    return !root.settled && root.compiles < (config().jitAlways ? kMostCompilesAlways : kMostCompiles);
}

bool JitEngine::withinBudget() const {
    constexpr double kAdvanceMs = 20;
    constexpr double kShare = 0.05;
    constexpr double kWorkerAdvanceMs = 300;
    constexpr double kWorkerShare = 0.4;
    if (decidesByCounts()) {
        return true;
    }
    double elapsed = monotonicMilliseconds() - startedMs_;
    return spentMs_ < kAdvanceMs + kShare * elapsed && workerMs_ < kWorkerAdvanceMs + kWorkerShare * elapsed;
}

// True when saving so many nanoseconds of each `periodNs` is worth a compilation. A program that has run for a while may be
// expected to run for as long again: in processor time, for the machine may be busy.
bool JitEngine::paysOff(double savedNs, double periodNs, double compilationMs) const {
    return savedNs / periodNs * processorMilliseconds() >= compilationMs * kCompilationShare;
}

// Which part of the program's time code for this root saves.
double JitEngine::savedShare(const Root& root) {
    double ownNs = root.isEstimated ? root.ownNs : kMostOwnNs;
    double part = root.periodNs > 0 ? std::min(ownNs / root.periodNs, 1.0) : 1;
    return root.isEstimated ? part * root.gain / (1 + root.gain) : part;
}

// Lower is sooner. The most is saved in all when what saves most for each millisecond of compiling goes first (Smith's rule
// for weighted completion times: Naval Research Logistics Quarterly 3, 1956).
double JitEngine::queueRank(const Root& root) {
    constexpr double kLeastShare = 0.01;
    return root.compilationMs / std::max(savedShare(root), kLeastShare);
}

// True when the root is due for a decision; its pace is taken over the last stretch before.
bool JitEngine::isDue(Root& root) const {
    uint64_t stretch = threshold(root);
    uint64_t due = std::max(stretch, root.nextTry);
    if (root.count + stretch / 2 < due) {
        return false;
    }
    if (root.pace.sinceMs == 0) {
        root.pace = {processorMilliseconds(), root.interpreted};
    }
    return root.count >= due;
}

// Hot enough for what is known of it. If not, it is counted on. While it is recorded it is slower than it was: the pace before
// holds.
bool JitEngine::isHot(Root& root) {
    if (decidesByCounts()) {
        return true;
    }
    if (root.state == RootState::kCounting) {
        double stretchNs = (processorMilliseconds() - root.pace.sinceMs) * kNsPerMs;
        auto times = static_cast<double>(std::max<uint64_t>(root.interpreted - root.pace.since, 1));
        root.periodNs = std::max(stretchNs / times - kCountingNs, kLeastNs);
    }
    root.pace = {};
    bool isShort = root.isEstimated && root.compilationMs <= kLongCompilationMs;
    if (isShort && root.gain >= kPlainGain && root.ownNs >= kNotablePart * root.periodNs) {
        return true;
    }
    double savedNs = root.periodNs * savedShare(root);
    bool lasts = !root.isEstimated || savedNs * static_cast<double>(root.interpreted) >= kLeastLostMs * kNsPerMs;
    bool isAll = isShort && 2 * root.ownNs >= root.periodNs;  // the program does little else
    if (lasts && (isAll || paysOff(savedNs, root.periodNs, std::max(root.compilationMs, kLeastCompilationMs)))) {
        return true;
    }
    root.state = RootState::kCounting;
    root.nextTry = root.count + threshold(root);
    return false;
}

// A loop of few rounds gains little by itself, for it is entered and left each time. What is around it takes it in: the outermost
// loop, or the function, that has few rounds for each of its own too.
Root& JitEngine::rootAround(Root& loop) {
    constexpr uint64_t kFewRounds = 8;
    CodeRecord& record = *loop.record;
    Root* best = &loop;
    auto takesIn = [&](uint64_t rounds) { return rounds > 0 && best->interpreted / rounds < kFewRounds; };
    auto mayCome = [&](const Root& root) {
        return root.versions.empty() && root.state != RootState::kBlacklisted && (root.pending != nullptr || mayCompileAgain(root));
    };
    if (loop.around != nullptr && mayCome(*loop.around)) {
        return *loop.around;  // it counts no rounds while it is compiled
    }
    for (const BytecodeLoop& other : std::views::reverse(record.profile().bytecode().loops())) {
        if (!other.isAround(loop.unit)) {
            continue;
        }
        Root& outer = record.loopRoot(other.header);
        if (!takesIn(outer.interpreted) || !mayCome(outer)) {
            return *best;
        }
        loop.around = best = &outer;
    }
    if (fitsFunctionRoot(record.code) && takesIn(record.callsInterpreted) && mayCome(record.functionRoot())) {
        loop.around = best = &record.functionRoot();
    }
    return *best;
}

// As isHot(), for an exit that has been taken `count` times since the last time this was asked, or since the code was installed.
bool JitEngine::isHotExit(CompiledRegion& region, int exit, uint64_t count) const {
    if (decidesByCounts()) {
        return true;
    }
    double now = processorMilliseconds();
    double before = std::exchange(region.exitJudgedMs[static_cast<size_t>(exit)], now);
    double stretchMs = now - (before != 0 ? before : region.installedMs);
    double periodNs = stretchMs * kNsPerMs / static_cast<double>(count);
    return paysOff(std::min(kExitNs, periodNs), periodNs, region.compilationMs);
}

}  // namespace kiln
