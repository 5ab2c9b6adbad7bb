#include "jit/runtime/activation.h"

#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "jit/engine/native_stack.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/snapshot_values.h"

namespace kiln {
namespace {

NativeScope* newestScope = nullptr;

CompiledRegion* regionOf(const Activation* activation) {
    return static_cast<CompiledRegion*>(activation->site->owner);
}

const ir::Snapshot& snapshotOf(const Activation* activation) {
    return regionOf(activation)->region.snapshots[activation->site->snapshot];
}

bool lacksFrames(const Activation* activation) {
    return activation->frame == nullptr || snapshotOf(activation).frames.size() > 1;
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

KilnFrame* pushFrame(PyThreadState* thread, PyFunctionObject* function) {
    KilnFrame* frame = kiln_frame_push(thread, function);
    if (frame == nullptr) {
        Py_FatalError("kiln: no memory to make a frame");
    }
    return frame;
}

KilnFrame* rootFrame(PyThreadState* thread, Activation* activation) {
    if (activation->frame == nullptr) {
        activation->frame = pushFrame(thread, static_cast<PyFunctionObject*>(activation->function));
    }
    return static_cast<KilnFrame*>(activation->frame);
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
            frame = pushFrame(thread, reinterpret_cast<PyFunctionObject*>(function.get()));
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
    }
}

getter originalLocals = nullptr;

// The locals of a frame whose compiled code waits are brought up to date before they are read.
PyObject* readLocals(PyObject* object, void* closure) {
    auto* wanted = kiln_frame_of_object(reinterpret_cast<PyFrameObject*>(object));
    for (NativeScope* scope = NativeScope::newest(); scope != nullptr; scope = scope->older()) {
        for (Activation* waiting = scope->context()->top; waiting != nullptr; waiting = waiting->previous) {
            if (waiting->frame == wanted && waiting->published != kPublishedLocals && !lacksFrames(waiting)) {
                publish(static_cast<PyThreadState*>(scope->context()->threadState), waiting);
            }
        }
    }
    return originalLocals(object, closure);
}

}  // namespace

NativeScope::NativeScope(PyThreadState* thread) : older_(newestScope) {
    static thread_local int64_t exitValues[kMostExitValues];
    context_ = {.threadState = thread, .exitValues = exitValues, .stackLimit = nativeStackLimit()};
    if (older_ != nullptr) {
        older_->newer_ = this;
    }
    newestScope = this;
}

// Threads end their scopes in any order.
NativeScope::~NativeScope() {
    (newer_ != nullptr ? newer_->older_ : newestScope) = older_;
    if (older_ != nullptr) {
        older_->newer_ = newer_;
    }
}

NativeScope* NativeScope::newest() {
    return newestScope;
}

void ensureFrames(NativeContext* context) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    Activation* top = context->top;
    if (top == nullptr || top->published) {
        return;
    }
    std::vector<Activation*> below;
    for (Activation* activation = top->previous; activation != nullptr && !activation->published; activation = activation->previous) {
        below.push_back(activation);
    }
    for (size_t index = below.size(); index-- > 0;) {
        makeFrames(thread, below[index]);
    }
    makeFrames(thread, top);
}

// The root's frame stays until the function returns: it may be wanted again.
void retract(NativeContext* context, Activation* activation) {
    bool filled = activation->published == kPublishedLocals;
    activation->published = kUnpublished;
    if (!filled) {
        return;
    }
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    const ir::Snapshot& snapshot = snapshotOf(activation);
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

void* leaveActivation(NativeContext* context, Activation* activation) {
    context->top = activation->previous;
    if (activation->published) {
        retract(context, activation);
    }
    return activation->frame;
}

void watchFrameLocals() {
    Ref<> dict = Ref<>::steal(PyType_GetDict(&PyFrame_Type));
    PyObject* descriptor = PyDict_GetItemString(dict.get(), "f_locals");
    if (descriptor != nullptr && Py_IS_TYPE(descriptor, &PyGetSetDescr_Type) && originalLocals == nullptr) {
        PyGetSetDef* definition = reinterpret_cast<PyGetSetDescrObject*>(descriptor)->d_getset;
        originalLocals = definition->get;
        definition->get = readLocals;
    }
}

}  // namespace kiln
