// Waiting activations of compiled code: their frames and locals are made real for whoever may look, and taken back.
//
// Compiled code that calls leaves a record of where it waits and of its raw values (Activation); most callees never look.
// Before Python code runs above it, each activation that has no real frame gets one (ensureFrames); when a frame's
// locals are asked for, they are copied into it. Back in compiled code the copies are taken away again, so that
// objects live no longer than they should.
#pragma once

#include <Python.h>

#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/native_interface.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {

inline CompiledRegion* regionOf(const Activation* activation) {
    return static_cast<CompiledRegion*>(activation->site->owner);
}

inline const ir::Snapshot& snapshotOf(const Activation* activation) {
    return regionOf(activation)->region.snapshots[activation->site->snapshot];
}

inline auto framesOf(const Activation* activation) {
    return std::as_const(regionOf(activation)->region).framesOf(snapshotOf(activation));
}

// A new frame of a function that was called with `code`, and `words` of room behind it.
KilnFrame* pushSurely(PyThreadState* thread, PyObject* function, PyCodeObject* code, size_t words = 0);
// Gives a frame whose work compiled code does a record on the data stack.
void attachRecord(KilnFrame* frame, Activation* record);
// Python code is about to run above the waiting activations of this context: each has real frames afterwards.
void ensureFrames(NativeContext* context);
// The same for the activation that waits in a frame, the thread's current one, for an operation of CPython's. All below it have theirs.
void makeWaitingFrames(PyThreadState* thread, KilnFrame* frame);
// What a record on the data stack names no longer lies in quick code's native frame, but in the record, until its code goes on.
void keepValues(Activation* record);
// The callee of `activation` is back. Gives up what was published.
void retract(NativeContext* context, Activation* activation);
// For an exit: the activation waits no more; its root's frame, or nullptr.
void* leaveActivation(NativeContext* context, Activation* activation);
// Nobody can look at an exception that is dropped: the caller has its only reference, and its end runs no code of its class's.
inline bool endsUnseen(PyObject* exception) {
    return Py_REFCNT(exception) == 1 && Py_TYPE(exception)->tp_finalize == nullptr && Py_TYPE(exception)->tp_del == nullptr;
}
// The exception that is set gets the frame of the innermost activation, which waits, into its traceback.
void addTraceback(NativeContext* context);
// The exception leaves a function root: its frame goes, and with it the activation. `adds`: after addTraceback(); else at the unit that
// endFrameAt() was told just before.
void unwind(NativeContext* context, int64_t adds);
void endFrameAt(int unit);
// Whoever reads where a frame is finds it out. Any frame of any thread or greenlet.
void showPosition(KilnFrame* frame);
// Makes the locals of a frame real for whoever is about to read them, if compiled code waits in it. Any frame of any thread or
// greenlet.
void showLocals(KilnFrame* frame);

}  // namespace kiln
