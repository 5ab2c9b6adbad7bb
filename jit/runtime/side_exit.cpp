// Side exits: from the values a snapshot names to the interpreter's frames, and on in the interpreter.
#include <opcode.h>

#include <algorithm>

#include "interp/config.h"
#include "interp/recursion_budget.h"
#include "interp/support/log.h"
#include "interp/support/short_vector.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/callee_results.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/snapshot_values.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

// Holds the exception that the region leaves with, if any, while objects are made that CPython makes with none set.
class RaisedAside {
   public:
    RaisedAside() : raised_(PyErr_GetRaisedException()) {}
    ~RaisedAside() { PyErr_SetRaisedException(raised_); }
    RaisedAside(const RaisedAside&) = delete;
    RaisedAside& operator=(const RaisedAside&) = delete;

   private:
    PyObject* raised_;
};

// Fills a frame's slots. What the first `held` of them held before (boxes gone stale, or nothing) is released last; the
// memory above is free.
void restoreFrame(KilnFrame* frame, const ir::FrameSnapshot& snapshot, size_t held, SnapshotValues& values) {
    PyObject** slots = kiln_frame_slots(frame);
    ShortVector<PyObject*, 32> stale;
    for (size_t slot = 0; slot < snapshot.slots.size(); slot++) {
        const ir::SlotSource& source = snapshot.slots[slot];
        if (source.kind == ir::SlotKind::kHome) {
            continue;
        }
        PyObject* made = values.make(source);
        if (source.home) {
            Py_XDECREF(made);  // an iterator that the slot holds already, brought up to date
            continue;
        }
        if (slot < held) {
            stale.push_back(slots[slot]);
        }
        slots[slot] = made;
    }
    kiln_frame_set_stacktop(frame, static_cast<int>(snapshot.slots.size()));
    for (PyObject* object : stale) {
        Py_XDECREF(object);
    }
}

void restoreNames(CompiledRegion& region, const ir::Snapshot& snapshot, SnapshotValues& values) {
    for (const ir::NameSource& name : snapshot.names) {
        PyObject* value = values.make(name.source);
        if (name.write && (value == nullptr || PyDict_SetItem(region.dictOf(name.name), region.keyOf(name.name), value) != 0)) {
            PyErr_Clear();
        }
        Py_XDECREF(value);
    }
}

// The words of an exit, out of the thread's buffer: whatever Python code an exit runs may leave compiled code itself.
class ExitWords {
   public:
    ExitWords(const ir::Region& region, const ir::Snapshot& snapshot, const int64_t* words) {
        size_t count = 0;
        ir::forEachSnapshotValue(region, snapshot, [&](ir::ValueId) { count++; });
        words_.resize(count);
        std::copy_n(words, count, words_.data());
    }
    const int64_t* data() const { return words_.data(); }

   private:
    ShortVector<int64_t, 48> words_;
};

// A frame of an inlined callee, or a function root's.
struct RestoredFrame {
    KilnFrame* frame;
    const ir::FrameSnapshot* source;
};

using RestoredFrames = ShortVector<RestoredFrame, 8>;

// The frame of the generator on top of its caller's stack, which is made if there is none yet.
KilnFrame* enterGenerator(PyThreadState* thread, KilnFrame* caller, PyObject* function) {
    PyObject*& generator = kiln_frame_slots(caller)[kiln_frame_stacktop(caller) - 1];
    if (generator == nullptr) {
        generator = makeSurely([&] { return kiln_generator_new(reinterpret_cast<PyFunctionObject*>(function)); });
    }
    return kiln_generator_enter(thread, generator);
}

// Pushes and fills the frames of inlined callees, called by `root`, and adds them to `frames`. The last one is the current frame then.
void pushFrames(NativeContext* context, const CompiledRegion& region, const ir::Snapshot& snapshot, KilnFrame* root,
                SnapshotValues& values, RestoredFrames& frames) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    KilnFrame* frame = root;
    const auto sources = region.region.framesOf(snapshot);
    for (size_t index = 1; index < sources.size(); index++) {
        const ir::FrameSnapshot& source = sources[index];
        Ref<> function = Ref<>::steal(values.make(source.function));
        frame = source.exhausted != ir::kNoId ? enterGenerator(thread, frame, function.get())
                                              : pushSurely(thread, function.get(), region.codeOf(source));
        restoreFrame(frame, source, static_cast<size_t>(kiln_frame_code(frame)->co_nlocalsplus), values);
        bool faulting = snapshot.raises && index + 1 == sources.size();
        kiln_frame_set_last_unit(frame, faulting ? source.unit : source.unit - 1);
        frames.push_back({frame, &source});
    }
}

// Runs frames from the innermost out, each result going on its caller's stack. The outermost's result, or nullptr.
PyObject* runFrames(NativeContext* context, const CompiledRegion& region, const RestoredFrames& frames, bool raises, int credit) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    PyObject* result = nullptr;
    bool throwing = raises;
    for (size_t index = frames.size(); index-- > 0;) {
        KilnFrame* frame = frames[index].frame;
        if (index + 1 != frames.size()) {
            int unit = frames[index].source->unit;
            throwing = !handOver(frame, result, region.region, *frames[index + 1].source, unit);
            kiln_frame_set_last_unit(frame, unit - 1);
        }
        // The root's own activation was counted against the recursion limit when it was entered.
        // Nor does it nest in C when interpreted: the native stack is watched instead of the C recursion budget.
        thread->py_recursion_remaining += index == 0 ? credit : 0;
        thread->c_recursion_remaining += kEvaluationCost;
        // The frames that wait below were inlined: nobody has counted them.
        int waiting = std::max(0, static_cast<int>(index) - credit);
        thread->py_recursion_remaining -= waiting;
        result = kiln_frame_run(thread, frame, throwing);
        thread->py_recursion_remaining += waiting;
        thread->c_recursion_remaining -= kEvaluationCost;
        thread->py_recursion_remaining -= index == 0 ? credit : 0;
    }
    return result;
}

void logExit(const CompiledRegion& region, int exit) {
    if (logEnabled(LogChannel::kDeopt)) {
        const ExitPlace& place = region.place(exit);
        auto reason = static_cast<ExitReason>(region.region.snapshots[exit].reason);
        logMessage(LogChannel::kDeopt, "%s leaves at line %d, unit %d: %s %s", region.region.name.c_str(),
                   PyCode_Addr2Line(place.code, place.unit * 2), place.unit, info(reason).code, info(reason).text);
    }
}

// A sample that fell due while the region ran is its time, not the interpreter's, which goes on from here.
void sampleBefore(NativeContext* context, const CompiledRegion& region, int exit) {
    if (samplePending()) {
        const ExitPlace& place = region.exits[exit];
        takeSample(static_cast<PyThreadState*>(context->threadState),
                   {place.code, PyCode_Addr2Line(place.code, place.unit * 2), region.runningTier(), !region.places.empty()});
    }
}

// Where the interpreter goes on in the frame of a loop, as if from the back-edge that entered it. After a poll it serves the
// evaluation breaker first: the back-edge is behind it then, for an exception looks for its handler at the loop's start.
int resumedUnit(CompiledRegion& region, const ir::Snapshot& snapshot) {
    int unit = region.region.framesOf(snapshot)[0].unit;
    return snapshot.reason == static_cast<int>(ExitReason::k_poll) ? region.bytecode().at(unit)->target : unit;
}

// The instruction that ended where the exit is, if CPython then looks at the evaluation breaker. -1: it does not.
int looksBehind(CompiledRegion& region, const ir::Snapshot& snapshot) {
    int unit = region.region.framesOf(snapshot)[0].unit;
    switch (static_cast<ExitReason>(snapshot.reason)) {
        case ExitReason::k_poll: return unit;
        case ExitReason::k_called: return (region.bytecode().at(unit) - 1)->unit;
        default: return -1;
    }
}

bool isBehindCall(const ir::Snapshot& snapshot) {
    return snapshot.reason == static_cast<int>(ExitReason::k_called);
}

// In frames of their own nobody else looks: the innermost does, at its call. True when there is an exception now.
bool servesPending(NativeContext* context, const RestoredFrame& innermost, const ExitPlace& place) {
    kiln_frame_set_last_unit(innermost.frame, place.unit);
    bool raises = kiln_handle_pending(static_cast<PyThreadState*>(context->threadState)) != 0;
    if (!raises) {
        kiln_frame_set_last_unit(innermost.frame, innermost.source->unit - 1);
    }
    return raises;
}

// KILN_STRESS=gc: the frames are the interpreter's again, and it may start a collection at any of its next instructions.
void collectUnderStress() {
    if (config().stressGc) {
        PyGC_Collect();
    }
}

}  // namespace

void exitLoop(NativeContext* context, void* frameAddress, Activation* activation, CompiledRegion* region, int exit,
              int64_t* buffer) {
    const ir::Snapshot& snapshot = region->region.snapshots[exit];
    const ExitWords words(region->region, snapshot, buffer);
    auto* frame = static_cast<KilnFrame*>(activation != nullptr ? leaveActivation(context, activation) : frameAddress);
    logExit(*region, exit);
    sampleBefore(context, *region, exit);
    context->exits = snapshot.raises ? 2 : 1;
    context->entryMissed = snapshot.reason == static_cast<int>(ExitReason::k_entry);
    const ir::FrameSnapshot& root = region->region.framesOf(snapshot)[0];
    bool inlined = snapshot.frames.size() > 1;
    context->looksBehind = inlined ? -1 : looksBehind(*region, snapshot);
    RestoredFrames frames;
    {
        RaisedAside aside;
        SnapshotValues values(region->region, words.data());
        restoreFrame(frame, root, region->entrySlots, values);
        kiln_frame_set_last_unit(frame, inlined ? root.unit - 1 : resumedUnit(*region, snapshot));  // -1: it waits inside its CALL
        pushFrames(context, *region, snapshot, frame, values, frames);
        restoreNames(*region, snapshot, values);
        region->listener.exitTaken(*region, exit);
        collectUnderStress();
    }
    if (!inlined) {
        if (snapshot.raises) {
            raiseAtInstruction(frame, *region->bytecode().at(root.unit));
        }
        return;
    }
    bool raises = snapshot.raises || (isBehindCall(snapshot) && servesPending(context, frames.back(), region->exits[exit]));
    PyObject* result = runFrames(context, *region, frames, raises, 0);
    int unit = root.unit;
    if (handOver(frame, result, region->region, *frames[0].source, unit)) {
        kiln_frame_set_last_unit(frame, unit);
        return;
    }
    const BytecodeInstruction* call = region->bytecode().at(root.unit) - 1;
    call->opcode == FOR_ITER ? raiseAtInstruction(frame, *call) : raiseAtCall(frame, *call);
    kiln_frame_set_last_unit(frame, call->firstUnit);
}

NativeResult exitFunction(NativeContext* context, void* frameAddress, PyFunctionObject* function, Activation* activation,
                          CompiledRegion* region, int exit, int64_t* buffer) {
    const ir::Snapshot& snapshot = region->region.snapshots[exit];
    const ExitWords words(region->region, snapshot, buffer);
    if (activation != nullptr) {
        frameAddress = leaveActivation(context, activation);
    }
    RestoredFrames frames;
    {
        RaisedAside aside;
        ensureFrames(context);
        logExit(*region, exit);
        sampleBefore(context, *region, exit);
        SnapshotValues values(region->region, words.data());
        auto* thread = static_cast<PyThreadState*>(context->threadState);
        const ir::FrameSnapshot& root = region->region.framesOf(snapshot)[0];
        KilnFrame* frame = frameAddress != nullptr ? static_cast<KilnFrame*>(frameAddress)
                                                   : pushSurely(thread, reinterpret_cast<PyObject*>(function), region->codeOf(root));
        restoreFrame(frame, root, static_cast<size_t>(kiln_frame_code(frame)->co_nlocalsplus), values);
        bool faulting = snapshot.raises && snapshot.frames.size() == 1;
        kiln_frame_set_last_unit(frame, faulting ? root.unit : root.unit - 1);
        frames.push_back({frame, &root});
        pushFrames(context, *region, snapshot, frame, values, frames);
        restoreNames(*region, snapshot, values);
        region->listener.exitTaken(*region, exit);
        collectUnderStress();
    }
    bool raises = snapshot.raises || (isBehindCall(snapshot) && servesPending(context, frames.back(), region->exits[exit]));
    PyObject* result = runFrames(context, *region, frames, raises, 1);
    return {reinterpret_cast<int64_t>(result), result != nullptr ? kBoxedResult : kRaised};
}

}  // namespace kiln
