// When a root is recorded, and when its recording is enough.
#include <opcode.h>

#include <algorithm>

#include "interp/array_module.h"
#include "interp/config.h"
#include "interp/numpy_random.h"
#include "interp/numpy_types.h"
#include "interp/python_text.h"
#include "interp/support/log.h"
#include "jit/engine/coverage.h"
#include "jit/engine/engine.h"
#include "jit/engine/excluded_code.h"
#include "jit/engine/hotness.h"
#include "jit/engine/native_stack.h"
#include "jit/runtime/memory_reserve.h"
#include "profiler/call_edges.h"

namespace kiln {
namespace {

constexpr int kMostEvents = 20000;
constexpr int kMostArmed = 48;
constexpr int kMostFailures = 6;

bool entersFunctions(const BytecodeInstruction& in) {
    switch (in.opcode) {
        case CALL: case CALL_FUNCTION_EX: case LOAD_ATTR: case STORE_ATTR: case DELETE_ATTR: case BINARY_OP: case BINARY_SUBSCR:
        case STORE_SUBSCR: case COMPARE_OP: case CONTAINS_OP: case UNARY_NEGATIVE: case UNARY_NOT: case GET_ITER: case FOR_ITER:
            return in.depth > 0;
        default: return false;
    }
}

}  // namespace

void JitEngine::arm(PyCodeObject* code) {
    CodeRecord* record = &records_.of(code);
    // CPython 3.12 loses a tool's LINE and INSTRUCTION events where another one's INSTRUCTION events are added.
    bool isSeenByOthers = kiln_monitor_others_active(PyThreadState_Get(), code);
    if (record->armed || isSeenByOthers || static_cast<int>(session_.armed.size()) >= kMostArmed) {
        return;
    }
    if (!record->unitsBefore) {
        record->unitsBefore = Ref<>::steal(kiln_code_plain_units(code));
        PyErr_Clear();
    }
    if (kiln_monitor_set(code, record->events | KILN_EVENT_INSTRUCTION) != 0) {
        PyErr_Clear();
        return;
    }
    record->armed = true;
    if (record->function) {
        settleCells(*record->function);
    }
    Py_INCREF(reinterpret_cast<PyObject*>(code));
    session_.armed.push_back(code);
}

// False while another root's session goes on. One that has made no progress since the last request is given up.
bool JitEngine::takeRecorder() {
    if (session_.root != nullptr && session_.events != session_.eventsSeen) {
        session_.eventsSeen = session_.events;
        return false;
    }
    if (session_.root != nullptr) {
        abandonRecording();
    }
    return true;
}

// Asks for the recorder.
void JitEngine::tryRecord(Root& root) {
    if (isExcluded(root.record->code)) {
        refuse(root, Refusal::k_excluded, "", root.record->code->co_firstlineno);
        return;
    }
    if (!mayCompileAgain(root)) {
        // It keeps being thrown away: what it relies on keeps changing.
        refuse(root, Refusal::k_exits, std::to_string(root.compiles) + " compilations", 0);
        return;
    }
    if (session_.root == &root && !session_.extends) {
        return;
    }
    if (!takeRecorder()) {
        root.nextTry = root.count + std::max<uint64_t>(threshold(root) / 4, 1);
        return;
    }
    Root& around = config().jitAlways || root.kind == RootKind::kFunction ? root : rootAround(root);
    if (&around == &root) {
        startRecording(root);
        return;
    }
    root.nextTry = root.count + threshold(root);
    if (around.state == RootState::kCounting && isHot(around)) {
        startRecording(around);
    }
}

void JitEngine::beginSession(Root& root) {
    session_ = Session();
    session_.root = &root;
    session_.thread = PyThread_get_thread_ident();
    recorder_.clear();
}

void JitEngine::startRecording(Root& root) {
    beginSession(root);
    root.state = RootState::kRecording;
    NumPyTypes::look();
    NumPyRandom::look();
    ArrayModule::look();
    root.isNumeric = worksOnNumbers(root);
    root.settle();
    root.count = 0;
    emptyCalls(root);
    arm(root.record->code);
    logMessage(LogChannel::kRecord, "recording %s at unit %d", textOf(root.record->code->co_qualname).c_str(), root.unit);
}

// Notes which function an instruction of recorded code enters. Not for calls of C functions: one of them might put a hook of
// its own in place, and must not find a window's.
void JitEngine::watchCall(KilnFrame* frame, const CodeProfile& profile, int unit) {
    constexpr uint32_t kWatched = 4;  // executions of each site
    const BytecodeInstruction* in = profile.bytecode().at(unit);
    if (in == nullptr || profile.site(in->unit).executed > kWatched || !entersFunctions(*in)) {
        return;
    }
    PyThreadState* thread = PyThreadState_Get();
    PyCodeObject* code = kiln_frame_code(frame);
    if (in->opcode == CALL) {
        PyObject** top = kiln_frame_slots(frame) + code->co_nlocalsplus + in->depth - 1;
        PyObject* callee = top[-(in->oparg + 1)] != nullptr ? top[-(in->oparg + 1)] : top[-in->oparg];
        if (callee == nullptr || PyCFunction_Check(callee) || Py_IS_TYPE(callee, &PyMethodDescr_Type)) {
            return;
        }
    }
    if (!nativeStackIsShort() && keepReserve() && !isWatched(thread, code)) {
        CallEdges::instance().watch(thread, in->unit);
    }
}

bool JitEngine::recordedEnough() {
    const Session& s = session_;
    if (config().jitAlways) {
        return s.passes >= 2;
    }
    bool isShort = s.root->losses == 0;  // else paths were missing that a few passes do not show
    return s.passes >= 64 || (isShort && s.passes >= 6 && s.events >= 600) || (s.passes >= 2 && s.events >= kMostEvents);
}

void JitEngine::stopRecording() {
    for (PyCodeObject* code : session_.armed) {
        CodeRecord* record = &records_.of(code);
        record->armed = false;
        if (record->function) {
            settleCells(*record->function);
        }
        if (kiln_monitor_set(code, record->events) != 0) {
            PyErr_Clear();
        }
        Py_DECREF(reinterpret_cast<PyObject*>(code));
    }
    session_ = Session();
}

void JitEngine::abandonRecording() {
    if (session_.extends) {
        finishExtending();
        return;
    }
    Root* root = session_.root;
    Ref<> alive = Ref<>::borrow(reinterpret_cast<PyObject*>(root->record->code));  // the session's may be the last reference
    stopRecording();
    root->state = RootState::kCounting;
    backOff(*root);
}

// The penalty doubles, and differs from root to root so that failures do not fall together.
void JitEngine::backOff(Root& root) {
    root.failures++;
    uint64_t jitter = static_cast<uint64_t>(root.unit + root.record->code->co_firstlineno) % 31;
    root.nextTry = root.count + (threshold(root) << std::min(root.failures, 10)) + jitter;
    if (root.failures > kMostFailures) {
        refuse(root, Refusal::k_recording, std::to_string(root.failures) + " recordings", 0);
    }
}

void JitEngine::refuse(Root& root, Refusal refusal, const std::string& detail, int line) {
    noteRefusal(refusal);
    root.refusal = refusal;
    root.refusalDetail = detail;
    root.refusalLine = line;
    root.state = RootState::kBlacklisted;
    for (const auto& native : root.natives) {
        rebuildCallers(*native);
    }
    if (root.versions.empty() && root.pending == nullptr) {
        assumptions_.forget(root);
    }
    logMessage(LogChannel::kCompile, "not compiled: %s unit %d: %s %s (%s)", textOf(root.record->code->co_qualname).c_str(),
               root.unit, info(refusal).code, info(refusal).text, detail.c_str());
}

}  // namespace kiln
