// The events: counting, recording, and entering compiled code.
#include <opcode.h>

#include <algorithm>

#include "interp/config.h"
#include "interp/support/log.h"
#include "jit/engine/code_shape.h"
#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"
#include "jit/engine/opcode_mix.h"
#include "jit/engine/native_stack.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/native_scope.h"
#include "profiler/frame_window.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

constexpr int kCellLocal = 0x40;  // in co_localspluskinds

PyObject* none() {
    return Py_NewRef(Py_None);
}

PyObject* disable() {
    return Py_NewRef(kiln_monitor_disable());
}

// The same code may run with other namespaces: exec'd again, or by a function made from another's code.
bool looksUpAlike(const CompiledRegion& region, KilnFrame* frame) {
    return region.globals == kiln_frame_globals(frame) && region.builtins == kiln_frame_builtins(frame) &&
           region.locals == namespaceOf(frame);
}

// What a frame at its RESUME was called with: cells have been made of some arguments.
std::vector<PyObject*> argumentsOf(KilnFrame* frame) {
    PyObject** slots = kiln_frame_slots(frame);
    PyCodeObject* code = kiln_frame_code(frame);
    std::vector<PyObject*> arguments(slots, slots + parameterCount(code));
    for (size_t index = 0; index < arguments.size(); index++) {
        bool isCell = (PyBytes_AS_STRING(code->co_localspluskinds)[index] & kCellLocal) != 0;
        arguments[index] = isCell ? PyCell_GET(arguments[index]) : arguments[index];
    }
    return arguments;
}

}  // namespace

bool gainsWhenCalledFromC(const CodeRecord& record) {
    return record.doesLittle && fitsFunctionRoot(record.code) && !isSuspendable(record.code) && !config().jitAlways;
}

uint32_t countingEvents(const CodeRecord& record) {
    PyCodeObject* code = record.code;
    if (config().reports) {
        return KILN_EVENT_PY_START | KILN_EVENT_JUMP;  // the report counts everything
    }
    if (isSuspendable(code)) {
        bool counts = isAsynchronous(code) ? hasLoopWithoutYield(code) : hasLoop(code);
        return counts ? KILN_EVENT_JUMP : 0;
    }
    uint32_t calls = fitsFunctionRoot(code) ? KILN_EVENT_PY_START : 0;
    bool isLeft = record.doesLittle && !config().jitAlways;
    return isLeft ? 0 : calls | (hasLoop(code) || makesGenerator(code) ? KILN_EVENT_JUMP : 0);
}

void JitEngine::countFrom(PyCodeObject* code) {
    if (!stopped_ && PyInterpreterState_Get() == PyInterpreterState_Main()) {
        records_.of(code);
    }
}

PyObject* JitEngine::jumped(PyCodeObject* code, int fromUnit, int toUnit) {
    if (toUnit > fromUnit || stopped_) {
        return disable();
    }
    if (!retired_.empty()) {
        releaseRetired();
    }
    CodeRecord* record = &records_.of(code);
    Root& root = record->loopRoot(toUnit);
    root.countEvent();
    if (toolsMayBePresent_ && toolsPresent()) {
        return none();
    }
    if (session_.extends && record->armed) {
        notePass(session_.root == &root);
        if (session_.extends && session_.root == &root) {
            return none();
        }
    }
    switch (root.state) {
        case RootState::kBlacklisted: return disable();
        case RootState::kCompiling: return records_.quiet(*record);
        case RootState::kRecording: return none();
        case RootState::kCounting:
            if (isCold(root)) {
                grantUntilHot(root);
                return none();
            }
            if (root.yields() && isConsumersWork(root, kiln_current_frame(PyThreadState_Get()))) {
                return none();
            }
            if (!isHot(root)) {
                grantUntilHot(root);
                return none();
            }
            if (nativeStackIsShort() || !keepReserve()) {
                return none();
            }
            if (!isWatched(PyThreadState_Get(), code)) {
                tryRecord(root);
            }
            return none();
        default: break;
    }
    enterFromBackEdge(root, code);
    return none();
}

void JitEngine::enterFromBackEdge(Root& root, PyCodeObject* code) {
    PyThreadState* thread = PyThreadState_Get();
    KilnFrame* frame = kiln_current_frame(thread);
    // What waits for the evaluation breaker is served by the interpreter, right after this: else code that leaves in each round
    // would keep it waiting.
    bool isAskedFor = *static_cast<volatile int*>(kiln_eval_breaker(thread->interp)) != 0;
    if (!isAskedFor && kiln_frame_code(frame) == code && !isWatched(thread, code)) {
        std::optional<int> behind = enterLoop(root, frame);
        if (!retired_.empty()) {
            releaseRetired();
        }
        if (isLosing(root, counters_.at(root.entries))) {
            judge(root);
        }
        // The interpreter looks at the evaluation breaker now, as behind a back-edge.
        if (behind == -1) {
            kiln_skip_pending(thread);
        } else if (behind) {
            kiln_pending_at(frame, *behind);
        }
    }
}

// NativeContext::looksBehind; none when an entry guard failed and nothing happened. The stack is not the collector's to see while compiled code runs.
std::optional<int> JitEngine::runVersion(Root& root, CompiledRegion& region, KilnFrame* frame) {
    PyThreadState* thread = PyThreadState_Get();
    kiln_frame_set_stacktop(frame, -1);
    NativeScope native(thread, kiln_frame_code(frame), region.runningTier());
    void* room = region.activationWords != 0 ? kiln_data_stack_push(thread, region.activationWords) : nullptr;
    if (room != nullptr) {
        native.context()->record = static_cast<Activation*>(room);
        attachRecord(frame, native.context()->record);
    } else if (region.activationWords != 0) {
        return std::nullopt;
    }
    int tracing = kiln_tracing_suspend(thread);
    region.running++;
    reinterpret_cast<LoopEntry>(region.isWatched ? region.quick->entry : region.entry)(native.context(), frame);
    region.running--;
    kiln_tracing_restore(thread, tracing);
    if (room != nullptr) {
        kiln_data_stack_pop(thread, room);
    }
    if (native.context()->entryMissed) {
        return std::nullopt;
    }
    root.account.addExits(native.context()->exits);
    return native.context()->looksBehind;
}

// Runs the loop natively from its header: NativeContext::looksBehind; none when no version fits what the frame holds.
std::optional<int> JitEngine::enterLoop(Root& root, KilnFrame* frame) {
    PyThreadState* thread = PyThreadState_Get();
    if (thread->py_recursion_remaining < 16 || nativeStackIsShort() || !keepReserve()) {
        return std::nullopt;
    }
    int depth = kiln_frame_stacktop(frame) - root.record->code->co_nlocalsplus;
    if (root.rebuild && root.pending == nullptr) {
        buildLoop(root, frame, depth, true);
    }
    warmEnclosing(*root.record, root.unit);
    for (size_t index = 0; index < root.versions.size(); index++) {
        CompiledRegion* region = root.versions[index];
        if (!looksUpAlike(*region, frame)) {
            continue;
        }
        if (std::optional<int> behind = runVersion(root, *region, frame)) {
            root.missesInRow = 0;
            if (index != 0 && index < root.versions.size() && root.versions[index] == region) {
                std::rotate(root.versions.begin(), root.versions.begin() + static_cast<long>(index),
                            root.versions.begin() + static_cast<long>(index) + 1);
            }
            return behind;
        }
        if (region->stressForced) {
            return std::nullopt;  // it would have fitted: neither a miss nor a reason to compile another version
        }
    }
    if (root.pending == nullptr) {
        root.account.addExits(1);
    }
    root.missesInRow++;
    const bool isOpen = root.state == RootState::kCompiled && root.pending == nullptr;
    if (isOpen && (root.wantsVersion || (missesOften(root) && mayCompileAgain(root) && !recordAnew(root)))) {
        buildLoop(root, frame, depth, false);  // entered at the next back-edge
    } else {
        noteEntry(root, frame);
    }
    return std::nullopt;
}

PyObject* JitEngine::started(PyCodeObject* code) {
    if (stopped_) {
        return none();
    }
    if (!retired_.empty()) {
        releaseRetired();
    }
    CodeRecord* record = &records_.of(code);
    Root& root = record->functionRoot();
    root.countEvent();
    if (toolsMayBePresent_ && toolsPresent()) {
        return none();
    }
    if (session_.root == &root) {
        notePass();
    }
    KilnFrame* frame = kiln_current_frame(PyThreadState_Get());
    auto* function = reinterpret_cast<PyFunctionObject*>(kiln_frame_function(frame));
    if (root.state == RootState::kCompiled && root.isForCallers()) {
        return records_.quiet(*record);
    }
    if (root.state == RootState::kCompiled && !isEnteredByCell(function)) {
        swap(function, root);  // made before the code was there
        return none();
    }
    bool counts = root.state == RootState::kCounting || root.state == RootState::kRecording;
    if (!counts || nativeStackIsShort() || !keepReserve()) {
        return counts ? none() : records_.quiet(*record);
    }
    if (root.state == RootState::kRecording) {
        session_.passes++;
        if (session_.root == &root && recordedEnough()) {
            stopRecording();
            buildFunction(root, function, argumentsOf(frame).data(), nullptr);
        }
        return none();
    }
    if (!isHot(root)) {
        grantUntilHot(root);
        return none();
    }
    if (isSuspendable(code)) {
        refuse(root, Refusal::k_generator, "", code->co_firstlineno);
    } else if (!fitsFunctionRoot(code)) {
        refuse(root, Refusal::k_names, "", code->co_firstlineno);
    } else if (!config().jitAlways && !root.wanted && record->doesLittle) {
        refuse(root, Refusal::k_small, "", code->co_firstlineno);
    } else if (!isWatched(PyThreadState_Get(), code)) {
        tryRecord(root);
    }
    return none();
}

PyObject* JitEngine::instruction(PyCodeObject* code, int unit) {
    if (session_.root == nullptr || session_.thread != PyThread_get_thread_ident()) {
        return none();
    }
    KilnFrame* frame = kiln_current_frame(PyThreadState_Get());
    if (kiln_frame_code(frame) != code) {
        return none();
    }
    if (kiln_monitor_others_active(PyThreadState_Get(), code)) {
        abandonRecording();
        return none();
    }
    CodeRecord* record = &records_.of(code);
    session_.events++;
    if (session_.extends && extendedEnough()) {
        finishExtending();
        return none();
    }
    bool more = recorder_.instruction(record->profile(), frame, unit);
    if (PyFunctionObject* called = recorder_.calledFunction()) {
        auto* callee = reinterpret_cast<PyCodeObject*>(called->func_code);
        if (!isAsynchronous(callee) && !records_.of(callee).isKnown()) {  // known code goes on running as it is
            arm(callee);
        }
    }
    if (more && config().reports) {
        watchCall(frame, record->profile(), unit);
    }
    Root& root = *session_.root;
    if (root.kind == RootKind::kLoop && root.record == record && record->profile().bytecode().at(root.unit) == record->profile().bytecode().at(unit)) {
        session_.passes += session_.extends ? 0 : 1;
        if (!session_.extends && recordedEnough()) {
            stopRecording();
            const BytecodeInstruction* header = record->profile().bytecode().at(root.unit);
            if (yieldsOften(root)) {
                refuse(root, Refusal::k_generator, "", PyCode_Addr2Line(code, root.unit * 2));
            } else if (!nativeStackIsShort() && keepReserve()) {
                buildLoop(root, frame, header->depth, true);
            }
            if (root.state == RootState::kRecording) {
                root.state = RootState::kCounting;
                backOff(root);
            }
        }
        return none();
    }
    return more || mayShowWanted(record->profile(), unit) ? none() : disable();
}

// A monitoring tool must see what the program does, and compiled code would hide it. Before a tool's first callback is
// registered, all code is thrown away and functions get their own entry back; nothing is entered while one is there.
void JitEngine::watchForTools() {
    static bool watching = false;
    if (watching) {
        return;
    }
    watching = true;
    kiln_watch_tools([] { instance().giveWayToTools(); });
    // Compiled code relies on instances keeping their class.
    kiln_watch_class_assignment([](PyObject* object) { instance().classChanged(Py_TYPE(object)); });
    toolsMayBePresent_ = kiln_monitor_tools_registered(PyInterpreterState_Get());  // one may have come before
}

// One of these came or went. Code that waits for a callee goes on only while there is none.
void JitEngine::othersChanged() {
    othersWatch_ = kiln_monitor_others_active(PyThreadState_Get(), nullptr);
    bool watched = isWatched(PyThreadState_Get(), nullptr);
    for (CompiledRegion* region : allRegions()) {
        if (watched && region->entry != nullptr && region->valid != 0) {
            region->valid = 0;
            region->paused = true;
        } else if (!watched && region->paused) {
            region->valid = 1;
            region->paused = false;
        }
    }
}

void JitEngine::giveWayToTools() {
    toolsMayBePresent_ = true;
    unswapAll();
    invalidateAll(allRegions());
}

bool JitEngine::toolsPresent() {
    toolsMayBePresent_ = toolsMayBePresent_ && kiln_monitor_tools_registered(PyInterpreterState_Get());
    return toolsMayBePresent_;
}

}  // namespace kiln
