// What an exit has left for is recorded as it goes on from there, and for a few passes more; then the root is built again with it.
#include <algorithm>

#include "interp/python_text.h"
#include "interp/support/log.h"
#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"

namespace kiln {
namespace {

int classesAt(const Site& site) {
    return site.results.size() + site.results.others() + site.receivers.size() + site.receivers.others() + site.rights.size();
}

bool isNewAt(const Site& site, int known) {
    return !site.isOutdated && classesAt(site) > known;
}

}  // namespace

// What the root's code saw so far goes wherever something else shows.
void JitEngine::outdateSeen(Root& root) {
    root.hasChanged = true;
    auto [begin, end] = root.units();
    root.record->profile().outdateClasses(begin, end);
}

// Of a loop whose versions are for what the program did before: what it does now is recorded, for one more. False where that can't be.
bool JitEngine::recordAnew(Root& root) {
    if (!missesForChange(root) || !takeRecorder()) {
        return false;
    }
    outdateSeen(root);
    beginSession(root);
    session_.extends = session_.addsVersion = true;
    session_.wanted = {root.record->code, root.unit};
    session_.knownClasses = -1;  // whatever shows is wanted
    arm(root.record->code);
    if (!root.record->armed) {
        stopRecording();
        return false;
    }
    logMessage(LogChannel::kRecord, "recording %s at unit %d anew", textOf(root.record->code->co_qualname).c_str(), root.unit);
    return true;
}

// The interpreter goes on behind the exit right after this.
void JitEngine::startExtending(Root& root, const CompiledRegion& region, int exit, bool isChange) {
    const ExitPlace& place = region.place(exit);
    auto reason = static_cast<ExitReason>(region.region.snapshots[exit].reason);
    if (std::find(root.futile.begin(), root.futile.end(), place) != root.futile.end() || !takeRecorder()) {
        return;
    }
    if (isChange) {
        outdateSeen(root);
        Site& left = profileOf(place.code).site(place.unit);
        left.isOutdated = true;
        left.renew();  // what it left for is told as the interpreter goes on, before the site is sampled again
    }
    beginSession(root);
    session_.extends = true;
    session_.left = &region;
    session_.wanted = place;
    session_.wantsPath = reason == ExitReason::k_cold_path;
    session_.knownClasses = classesAt(profileOf(place.code).site(place.unit));
    recorder_.resume(place.code, place.unit);
    arm(place.code);
    arm(root.record->code);
    if (!records_.of(place.code).armed) {
        stopRecording();
        return;
    }
    logMessage(LogChannel::kRecord, "extending %s at unit %d: %s at %s unit %d", textOf(root.record->code->co_qualname).c_str(), root.unit,
               info(reason).code, textOf(place.code->co_qualname).c_str(), place.unit);
}

bool JitEngine::sawWanted() {
    const ExitPlace& wanted = session_.wanted;
    CodeProfile& profile = profileOf(wanted.code);
    return session_.wantsPath ? profile.reached(wanted.resumeUnit) : isNewAt(profile.site(wanted.unit), session_.knownClasses);
}

// The instruction that left, and the one behind it, which tells what it left on the stack.
bool JitEngine::mayShowWanted(const CodeProfile& profile, int unit) {
    const ExitPlace& wanted = session_.wanted;
    if (!session_.extends || &profile != &profileOf(wanted.code) || sawWanted()) {
        return false;
    }
    const BytecodeInstruction* in = profile.bytecode().at(wanted.unit);
    return unit == wanted.unit || unit == wanted.resumeUnit || (in != nullptr && unit == in->next);
}

// Some passes, and more of a loop with nothing in it that compiled code would do: other paths that are missing may show too. Or what it
// was recorded for does not show.
bool JitEngine::extendedEnough() {
    constexpr int kPasses = 64;
    constexpr int kRounds = 1024;
    constexpr int kFewPasses = 6;
    constexpr int kManyEvents = 600;
    constexpr int kMostEvents = 2000;
    constexpr int kMostInVain = 100;
    const Session& s = session_;
    bool isShown = s.events < kMostInVain || sawWanted();
    bool isLong = s.passes >= kPasses || (s.passes >= kFewPasses && s.events >= kManyEvents);
    return !isShown || isLong || s.rounds >= kRounds || s.events >= kMostEvents;
}

void JitEngine::finishExtending() {
    Root& root = *session_.root;
    ExitPlace wanted = session_.wanted;
    bool isShown = sawWanted();
    const CompiledRegion* left = session_.left;
    bool addsVersion = session_.addsVersion;
    Ref<> alive = Ref<>::borrow(reinterpret_cast<PyObject*>(root.record->code));  // the session's may be the last reference
    stopRecording();
    if (addsVersion) {
        root.wantsVersion = isShown && !root.versions.empty();
    } else if (!isShown) {
        root.futile.push_back(wanted);
    } else if (!root.versions.empty()) {
        requestRebuild(root, left);
    }
}

// Compiled code of what is recorded is to be entered, which the interpreter does instead, or was left. `isRound`: of the recorded loop.
void JitEngine::notePass(bool isRound) {
    if (session_.extends && session_.thread == PyThread_get_thread_ident()) {
        (isRound ? session_.rounds : session_.passes)++;
        if (extendedEnough()) {
            finishExtending();
        }
    }
}

}  // namespace kiln
