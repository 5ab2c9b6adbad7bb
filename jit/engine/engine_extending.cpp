// What an exit has left for is recorded as it goes on from there, and for a few passes more; then the root is built again with it.
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
    arm(root.record->code);
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

// Some passes, as other paths that are missing may show too; or what it was recorded for does not show.
bool JitEngine::extendedEnough() {
    constexpr int kPasses = 16;
    constexpr int kMostEvents = 1000;
    constexpr int kMostInVain = 100;
    const Session& s = session_;
    return s.passes >= kPasses || s.events >= kMostEvents || (s.events >= kMostInVain && !sawWanted());
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

// Compiled code of what is recorded is to be entered, which the interpreter does instead, or was left.
void JitEngine::notePass() {
    if (session_.extends && session_.thread == PyThread_get_thread_ident()) {
        session_.passes++;
        if (extendedEnough()) {
            finishExtending();
        }
    }
}

}  // namespace kiln
