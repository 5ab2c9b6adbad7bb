// Records what happens while CPython runs a root: which instructions, which classes they leave, which functions they call.
//
// Driven by PEP 669 INSTRUCTION events, which are local to the code objects being recorded.
#pragma once

#include <Python.h>

#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "profiler/code_profile.h"

namespace kiln {

class Recorder {
   public:
    // Needs the GIL, as all of this.
    void clear() {
        frames_.clear();
        resumed_ = {};
        session_++;
    }
    // The interpreter goes on with a frame of this code, behind the instruction at `unit` or at it.
    void resume(PyCodeObject* code, int unit) { resumed_ = {code, unit}; }
    // The instruction at `unit` of the running frame is about to execute. Returns false when this location has told enough.
    bool instruction(CodeProfile& profile, KilnFrame* frame, int unit);
    // The Python function that the instruction just recorded is about to call; nullptr otherwise. Borrowed.
    PyFunctionObject* calledFunction() const { return called_; }

   private:
    struct Activation {
        KilnFrame* frame;
        const BytecodeInstruction* last;
    };
    Activation& activation(KilnFrame* frame);
    const BytecodeInstruction* lastBefore(const CodeProfile& profile, KilnFrame* frame);
    void recordResult(CodeProfile& profile, const BytecodeInstruction& last, PyObject* value);
    static void recordArray(Site& site, PyObject* object);
    static void recordOther(Site& site, PyObject* object);
    void recordReceiver(Site& site, PyCodeObject* code, const BytecodeInstruction& in, PyObject* receiver);
    bool recordSpecial(Site& site, const BytecodeInstruction& in, PyObject* const* top, PyObject* instance);
    void recordBuiltins(Site& site, const BytecodeInstruction& in, PyObject* const* top);
    void recordOperands(Site& site, const BytecodeInstruction& in, PyObject* left, PyObject* right);
    static void recordCalleeCode(Site& site, KilnFrame* frame, PyFunctionObject* function);
    void recordCall(Site& site, KilnFrame* frame, const BytecodeInstruction& in, PyObject* const* top);
    void recordCallee(Site& site, KilnFrame* frame, PyObject* method, PyObject* callee);

    struct Resumed {
        PyCodeObject* code = nullptr;
        int unit = 0;
    };

    std::vector<Activation> frames_;
    Resumed resumed_;
    uint32_t session_ = 0;
    PyFunctionObject* called_ = nullptr;
};

}  // namespace kiln
