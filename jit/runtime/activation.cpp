#include "jit/runtime/activation.h"

#include <algorithm>
#include <vector>

#include "jit/runtime/snapshot_values.h"

namespace kiln {
namespace {

bool isPublished(const Activation* activation) {
    return activation->published >= kPublishedFrame;
}

// Its root has a frame from the first time that somebody may look; until then, and while it runs, nobody sees a position.
bool makesFrameLate(const CompiledRegion* region) {
    return region->region.isFunction && !region->needsFrame;
}

// Copies the locals into a frame. What the slots held before is stale.
void fillLocals(KilnFrame* frame, const ir::FrameSnapshot& source, SnapshotValues& values) {
    PyObject** slots = kiln_frame_slots(frame);
    for (size_t slot = 0; slot < source.slots.size(); slot++) {
        if (source.slots[slot].kind != ir::SlotKind::kHome && !source.slots[slot].home) {
            Py_XSETREF(slots[slot], values.make(source.slots[slot]));
        }
    }
}

Activation* recordOf(void* frame) {
    return static_cast<Activation*>(kiln_frame_record(static_cast<KilnFrame*>(frame)));
}

KilnFrame* rootFrame(PyThreadState* thread, Activation* activation) {
    if (activation->frame == nullptr) {
        size_t words = regionOf(activation)->activationWords;
        KilnFrame* frame = pushSurely(thread, static_cast<PyObject*>(activation->function), regionOf(activation)->code, words);
        attachRecord(frame, static_cast<Activation*>(kiln_frame_behind(frame)));
        activation->frame = frame;
    }
    return static_cast<KilnFrame*>(activation->frame);
}

// The record on the native stack is out of reach for those who find a frame.
void copyRecord(Activation* activation) {
    Activation* record = recordOf(activation->frame);
    std::copy_n(activation->values(), regionOf(activation)->activationWords - sizeof(Activation) / sizeof(int64_t), record->values());
    record->site = activation->site;
    record->published = kPublishedFrame;
}

// Makes the frames and locals of one activation real. All below it have their frames, and none above it has one.
void publish(PyThreadState* thread, Activation* activation) {
    CompiledRegion* region = regionOf(activation);
    const ir::Snapshot& snapshot = snapshotOf(activation);
    SnapshotValues values(region->region, activation->values(), SnapshotValues::Mode::kCopy);
    for (size_t index = 0; index < snapshot.frames.size(); index++) {
        const ir::FrameSnapshot& source = snapshot.frames[index];
        KilnFrame* frame = nullptr;
        if (index > 0) {
            Ref<> function = Ref<>::steal(values.make(source.function));
            frame = pushSurely(thread, function.get(), region->codeOf(source));
        } else {
            frame = rootFrame(thread, activation);
        }
        fillLocals(frame, source, values);
        kiln_frame_set_last_unit(frame, source.unit - 1);
    }
    activation->published = kPublishedLocals;
}

// The same without locals, which readLocals() fills in for those who ask, where that is possible.
void makeFrames(PyThreadState* thread, Activation* activation) {
    if (snapshotOf(activation).frames.size() > 1) {
        publish(thread, activation);
    } else if (makesFrameLate(regionOf(activation))) {
        kiln_frame_set_last_unit(rootFrame(thread, activation), snapshotOf(activation).frames[0].unit - 1);
        activation->published = kPublishedFrame;
        copyRecord(activation);
    }
}

}  // namespace

KilnFrame* pushSurely(PyThreadState* thread, PyObject* function, PyCodeObject* code, size_t words) {
    KilnFrame* frame = kiln_frame_push(thread, reinterpret_cast<PyFunctionObject*>(function), code, words);
    if (frame == nullptr) {
        Py_FatalError("kiln: no memory to make a frame");
    }
    return frame;
}

void attachRecord(KilnFrame* frame, Activation* record) {
    record->site = nullptr;
    record->frame = frame;
    record->function = nullptr;
    record->published = kUnpublished;
    kiln_frame_attach(frame, record);
}

void showLocals(KilnFrame* frame) {
    Activation* record = recordOf(frame);
    if (record == nullptr || record->site == nullptr || record->published == kPublishedLocals) {
        return;
    }
    const ir::Snapshot& snapshot = snapshotOf(record);
    if (snapshot.frames.size() == 1) {
        SnapshotValues values(regionOf(record)->region, record->values(), SnapshotValues::Mode::kCopy);
        fillLocals(frame, snapshot.frames[0], values);
        record->published = kPublishedLocals;
    }
}

void ensureFrames(NativeContext* context) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    Activation* top = context->top;
    if (top == nullptr || isPublished(top)) {
        return;
    }
    static std::vector<Activation*>& below = *new std::vector<Activation*>;  // no Python code runs meanwhile
    below.clear();
    for (Activation* activation = top->previous; activation != nullptr && !isPublished(activation); activation = activation->previous) {
        below.push_back(activation);
    }
    for (size_t index = below.size(); index-- > 0;) {
        makeFrames(thread, below[index]);
    }
    makeFrames(thread, top);
}

// The root's frame stays until the function returns: it may be wanted again.
void retract(NativeContext* context, Activation* activation) {
    if (!isPublished(activation)) {
        activation->published = kUnpublished;  // its shadow is unlinked already
        return;
    }
    const ir::Snapshot& snapshot = snapshotOf(activation);
    // Where the frame came late, whoever looked has found the copy.
    Activation* record = recordOf(activation->frame);
    bool filled = activation->published == kPublishedLocals || record->published == kPublishedLocals;
    activation->published = kUnpublished;
    record->published = kUnpublished;
    record->site = nullptr;
    if (!filled) {
        return;
    }
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    for (size_t inlined = snapshot.frames.size(); inlined > 1; inlined--) {
        kiln_frame_pop(thread, kiln_current_frame(thread));
    }
    const ir::FrameSnapshot& root = snapshot.frames[0];
    PyObject** slots = kiln_frame_slots(static_cast<KilnFrame*>(activation->frame));
    for (size_t slot = 0; slot < root.slots.size(); slot++) {
        if (root.slots[slot].kind != ir::SlotKind::kHome && !root.slots[slot].home) {
            Py_CLEAR(slots[slot]);
        }
    }
}

void addTraceback(NativeContext* context) {
    ensureFrames(context);
    if (PyFrameObject* frame = PyThreadState_GetFrame(static_cast<PyThreadState*>(context->threadState))) {
        PyTraceBack_Here(frame);  // without memory the exception is another one
        Py_DECREF(frame);
    }
}

// Whoever finds the frame in the traceback finds the locals that it ended with.
void unwind(NativeContext* context, int64_t adds) {
    ensureFrames(context);
    if (adds != 0) {
        addTraceback(context);
    }
    Activation* activation = context->top;
    auto* frame = static_cast<KilnFrame*>(activation->frame);
    showLocals(frame);
    context->top = activation->previous;
    recordOf(frame)->site = nullptr;
    kiln_frame_pop(static_cast<PyThreadState*>(context->threadState), frame);
}

void* leaveActivation(NativeContext* context, Activation* activation) {
    context->top = activation->previous;
    if (activation->published) {
        retract(context, activation);
    }
    if (activation->frame != nullptr) {
        recordOf(activation->frame)->site = nullptr;
    }
    return activation->frame;
}

}  // namespace kiln
