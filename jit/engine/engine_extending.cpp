// What an exit has left for is recorded as it goes on from there, once, and the root is built again with it. Its code is entered all the
// while.
#include <algorithm>

#include "interp/support/log.h"
#include "jit/engine/engine.h"

namespace kiln {
namespace {

int classesAt(const Site& site) {
    return site.results.size() + site.results.others() + site.receivers.size() + site.receivers.others() + site.rights.size();
}

}  // namespace

// The interpreter goes on behind the exit right after this.
void JitEngine::startExtending(Root& root, const ExitPlace& place, ExitReason reason) {
    if (std::find(root.futile.begin(), root.futile.end(), place) != root.futile.end() || !takeRecorder()) {
        return;
    }
    beginSession(root);
    session_.extends = true;
    session_.wanted = place;
    session_.wantsPath = reason == ExitReason::k_cold_path;
    session_.knownClasses = classesAt(profileOf(place.code).site(place.unit));
    recorder_.resume(place.code, place.unit);
    arm(place.code);
    if (!recordOf(place.code)->armed) {
        stopRecording();
        return;
    }
    logMessage(LogChannel::kRecord, "extending %s at unit %d: %s at %s unit %d", PyUnicode_AsUTF8(root.record->code->co_qualname), root.unit,
               info(reason).code, PyUnicode_AsUTF8(place.code->co_qualname), place.unit);
}

bool JitEngine::sawWanted() {
    const ExitPlace& wanted = session_.wanted;
    CodeProfile& profile = profileOf(wanted.code);
    return session_.wantsPath ? profile.reached(wanted.resumeUnit) : classesAt(profile.site(wanted.unit)) > session_.knownClasses;
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

// The path has come round, or to no end that is worth waiting for, or does not show what it was recorded for.
bool JitEngine::extendedEnough() {
    constexpr int kMostEvents = 1000;
    constexpr int kMostInVain = 50;
    constexpr int kMostHeldBack = 8;
    const Session& s = session_;
    return s.passes > 0 || s.heldBack >= kMostHeldBack || s.events >= kMostEvents || (s.events >= kMostInVain && !sawWanted());
}

void JitEngine::finishExtending() {
    Root& root = *session_.root;
    ExitPlace wanted = session_.wanted;
    bool isShown = sawWanted();
    Ref<> alive = Ref<>::borrow(reinterpret_cast<PyObject*>(root.record->code));  // the session's may be the last reference
    stopRecording();
    if (!isShown) {
        root.futile.push_back(wanted);
    } else if (!root.versions.empty()) {
        requestRebuild(root);
    }
}

// Compiled code is not entered where it is being recorded: for a while.
void JitEngine::noteHeldBack() {
    if (session_.extends && session_.thread == PyThread_get_thread_ident()) {
        session_.heldBack++;
        if (extendedEnough()) {
            finishExtending();
        }
    }
}

}  // namespace kiln
