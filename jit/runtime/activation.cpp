#include "jit/runtime/activation.h"

#include <algorithm>
#include <vector>

#include "interp/support/short_vector.h"
#include "jit/runtime/snapshot_values.h"

namespace kiln {
namespace {

int lastUnit = 0;  // what endFrameAt() told; no other code runs until unwind()

bool isPublished(const Activation* activation) {
    return activation->published >= kPublishedFrame;
}

// What the site's snapshot names lies in quick code's native frame.
void copyFromNative(const Activation* activation, int64_t* values) {
    const std::vector<int32_t>& words = regionOf(activation)->nativeWords(static_cast<size_t>(activation->site->snapshot));
    std::transform(words.begin(), words.end(), values, [&](int32_t word) { return activation->native[word]; });
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

// The function that an inlined frame runs, borrowed.
PyObject* functionOf(Activation* activation, size_t index) {
    const ir::Region& region = regionOf(activation)->region;
    const ir::FrameSnapshot& frame = framesOf(activation)[index];
    if (frame.function.kind == ir::SlotKind::kConstant) {
        return static_cast<PyObject*>(const_cast<void*>(region.objects[frame.function.constant]));
    }
    if (activation->native != nullptr) {
        return reinterpret_cast<PyObject*>(activation->native[regionOf(activation)->nativeFrame.wordOf(frame.function.value)]);
    }
    return reinterpret_cast<PyObject*>(activation->values()[regionOf(activation)->functionWords(static_cast<size_t>(activation->site->snapshot))[index]]);
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
Activation* reachableRecord(Activation* activation) {
    Activation* record = recordOf(activation->frame);
    if (record == activation) {
        return record;
    }
    record->native = activation->native;
    if (activation->native == nullptr) {
        std::copy_n(activation->values(), regionOf(activation)->valueWords(), record->values());
    }
    record->site = activation->site;
    return record;
}

// Makes the frames of one activation real, without locals: showLocals() fills these in for those who ask. All below it have their
// frames, and none above it has one.
void makeFrames(PyThreadState* thread, Activation* activation) {
    if (!activation->site->lacksFrames) {
        return;
    }
    CompiledRegion* region = regionOf(activation);
    const auto frames = framesOf(activation);
    KilnFrame* frame = rootFrame(thread, activation);
    kiln_frame_set_last_unit(frame, frames[0].unit - 1);
    Activation* record = reachableRecord(activation);
    for (size_t index = 1; index < frames.size(); index++) {
        frame = pushSurely(thread, functionOf(activation, index), region->codeOf(frames[index]));
        kiln_frame_set_last_unit(frame, frames[index].unit - 1);
        kiln_frame_attach(frame, record);
    }
    record->innermost = frame;
    activation->published = record->published = kPublishedFrame;
}

// Whether the exception that is set ends in a handler of compiled code, in a function around `callee`, which drops it unseen. Not where
// what the handler names may have changed since the code was built.
bool isDiscarded(const PyThreadState* thread, const Activation* callee) {
    constexpr int kMostPassed = 32;  // each function on the way asks all those around it
    const Activation* caller = callee->previous;
    for (int passed = 0; caller != nullptr && caller->site->failure == Failure::kPasses && passed < kMostPassed; passed++) {
        caller = caller->previous;
    }
    PyObject* raised = thread->current_exception;
    return caller != nullptr && caller->site->failure == Failure::kDiscarded && regionOf(caller)->valid != 0 && endsUnseen(raised) &&
           PyErr_GivenExceptionMatches(raised, static_cast<PyObject*>(const_cast<void*>(caller->site->discarded))) != 0;
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
    record->native = nullptr;
    kiln_frame_attach(frame, record);
}

void keepValues(Activation* record) {
    if (record->site != nullptr && record->native != nullptr) {
        copyFromNative(record, record->values());
        record->native = nullptr;
    }
}

// Of a root that lacks frames while it waits, of inlined functions or its own: others keep their position by themselves. Such a function is the innermost of its thread,
// since a frame above it would have published it, and so would a greenlet's end of its turn.
void showPosition(KilnFrame* frame) {
    Activation* record = recordOf(frame);
    if (record != nullptr && record->site != nullptr && !isPublished(record) && record->site->lacksFrames) {
        kiln_make_waiting_frames_of_all();
    }
}

void showLocals(KilnFrame* frame) {
    showPosition(frame);
    Activation* record = recordOf(frame);
    if (record == nullptr || record->site == nullptr || record->published == kPublishedLocals) {
        return;
    }
    const auto sources = framesOf(record);
    if (sources.size() > 1 && record->published != kPublishedFrame) {
        return;
    }
    ShortVector<KilnFrame*, 8> frames(sources.size());
    auto* next = static_cast<KilnFrame*>(sources.size() > 1 ? record->innermost : record->frame);
    for (size_t index = frames.size(); index-- > 0; next = kiln_frame_previous(next)) {
        frames[index] = next;
    }
    keepValues(record);
    SnapshotValues values(regionOf(record)->region, record->values(), SnapshotValues::Mode::kCopy);
    for (size_t index = 0; index < frames.size(); index++) {
        if (index > 0) {
            Py_DECREF(values.make(sources[index].function));  // the frame has it
        }
        fillLocals(frames[index], sources[index], values);
    }
    record->published = kPublishedLocals;
}

void makeWaitingFrames(PyThreadState* thread, KilnFrame* frame) {
    Activation* record = recordOf(frame);
    if (record->site != nullptr && !isPublished(record)) {
        makeFrames(thread, record);
    }
}

void ensureFrames(NativeContext* context) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    kiln_make_waiting_frames(thread);
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

// The root's frame stays until the function returns: it may be wanted again. Of an inlined frame its holder keeps what the callee could
// see of it.
void retract(NativeContext* context, Activation* activation) {
    auto* root = static_cast<KilnFrame*>(activation->frame);
    if (!isPublished(activation)) {
        activation->published = kUnpublished;  // its shadow is unlinked already
        return;
    }
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    Activation* record = recordOf(root);
    const auto frames = framesOf(activation);
    auto* frame = static_cast<KilnFrame*>(record->innermost);
    for (size_t inlined = frames.size(); inlined > 1; inlined--, frame = kiln_frame_previous(frame)) {
        if (kiln_frame_has_object(frame)) {
            showLocals(frame);
        }
    }
    bool filled = record->published == kPublishedLocals;
    activation->published = record->published = kUnpublished;
    record->site = nullptr;
    for (size_t inlined = frames.size(); inlined > 1; inlined--) {
        kiln_frame_pop(thread, kiln_current_frame(thread));
    }
    PyObject** slots = kiln_frame_slots(root);
    for (size_t slot = 0; filled && slot < frames[0].slots.size(); slot++) {
        if (frames[0].slots[slot].kind != ir::SlotKind::kHome && !frames[0].slots[slot].home) {
            Py_CLEAR(slots[slot]);
        }
    }
}

void addTraceback(NativeContext* context) {
    ensureFrames(context);
    if (PyFrameObject* frame = kiln_frame_object(static_cast<PyThreadState*>(context->threadState))) {
        PyTraceBack_Here(frame);  // without memory the exception is another one
        Py_DECREF(frame);
    }
}

void endFrameAt(int unit) {
    lastUnit = unit;
}

// Whoever finds the frame in the traceback finds the place and the locals that it ended with.
void unwind(NativeContext* context, int64_t adds) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    Activation* activation = context->top;
    auto* frame = static_cast<KilnFrame*>(activation->frame);
    bool isHeld = frame != nullptr && kiln_frame_has_object(frame);
    if (adds != 0 && !isHeld && isDiscarded(thread, activation)) {
        leaveActivation(context, activation);
    } else {
        ensureFrames(context);
        frame = static_cast<KilnFrame*>(activation->frame);
        if (adds != 0) {
            addTraceback(context);
        } else {
            kiln_frame_set_last_unit(frame, lastUnit);
        }
        showLocals(frame);
        context->top = activation->previous;
        recordOf(frame)->site = nullptr;
    }
    if (frame != nullptr) {
        kiln_frame_pop(thread, frame);
    }
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
