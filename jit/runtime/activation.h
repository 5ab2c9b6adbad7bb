// Waiting activations of compiled code: their frames and locals are made real for whoever may look, and taken back.
//
// Compiled code that calls leaves a record of where it waits and of its raw values (Activation); most callees never look.
// Before Python code runs above it, each activation that has no real frame gets one (ensureFrames); when a frame's
// locals are asked for, they are copied into it. Back in compiled code the copies are taken away again, so that
// objects live no longer than they should.
#pragma once

#include <Python.h>

#include "jit/native_interface.h"

namespace kiln {

// A context on the list of all contexts, while compiled code runs in it. Needs the GIL.
class NativeScope {
   public:
    explicit NativeScope(PyThreadState* thread);
    ~NativeScope();
    NativeScope(const NativeScope&) = delete;
    NativeScope& operator=(const NativeScope&) = delete;
    NativeContext* context() { return &context_; }
    // Every scope of every thread, newest first.
    static NativeScope* newest();
    NativeScope* older() const { return older_; }

   private:
    NativeContext context_;
    NativeScope* newer_ = nullptr;
    NativeScope* older_;
};

// Python code is about to run above the waiting activations of this context: each has real frames afterwards.
void ensureFrames(NativeContext* context);
// The callee of `activation` is back. Gives up what was published.
void retract(NativeContext* context, Activation* activation);
// For an exit: the activation waits no more; its root's frame, or nullptr.
void* leaveActivation(NativeContext* context, Activation* activation);
// From now on `frame.f_locals` shows what compiled code holds.
void watchFrameLocals();

}  // namespace kiln
