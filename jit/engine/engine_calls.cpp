// Calls that the interpreter, or C code, makes of functions that have compiled code.
#include <opcode.h>

#include "interp/config.h"
#include "jit/engine/engine.h"
#include "jit/engine/native_stack.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/recursion_budget.h"
#include "profiler/frame_window.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

// The arguments as given are the parameters in order.
bool isPlainCall(PyCodeObject* code, size_t nargsf, PyObject* names) {
    return names == nullptr && PyVectorcall_NARGS(nargsf) == parameterCount(code) && parameterCount(code) == code->co_argcount;
}

}  // namespace

PyObject* kilnVectorcall(PyObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    return JitEngine::instance().vectorcall(function, arguments, nargsf, names);
}

// True when an instruction of the interpreter made this call: unswapped, it would not nest in C.
bool JitEngine::calledByInterpreter(PyThreadState* thread, PyObject* callable, PyObject* const* arguments) {
    KilnFrame* frame = kiln_current_frame(thread);
    if (frame == nullptr) {
        return false;
    }
    PyObject** slots = kiln_frame_slots(frame);
    PyCodeObject* code = kiln_frame_code(frame);
    if (arguments >= slots && arguments <= slots + code->co_nlocalsplus + code->co_stacksize) {
        return true;  // CALL: they lie on its operand stack
    }
    int unit = kiln_frame_last_unit(frame);
    if (unit < 0 || _PyCode_CODE(code)[unit].op.code != CALL_FUNCTION_EX) {
        return false;
    }
    // The callable lies below the tuple of arguments and perhaps a dict.
    const BytecodeInstruction* in = profileOf(code).bytecode().at(unit);
    int place = in != nullptr ? in->depth - 2 - (in->oparg & 1) : -1;
    return place >= 0 && slots[code->co_nlocalsplus + place] == callable;
}

// As the interpreter makes the call. The native stack is watched instead of the C recursion budget.
PyObject* JitEngine::callInterpreted(PyThreadState* thread, PyObject* callable, PyObject* const* arguments, size_t nargsf,
                                     PyObject* names) {
    int credit = calledByInterpreter(thread, callable, arguments) ? kEvaluationCost : 0;
    thread->c_recursion_remaining += credit;
    PyObject* result = _PyFunction_Vectorcall(callable, arguments, nargsf, names);
    thread->c_recursion_remaining -= credit;
    return result;
}

// A call whose arguments CPython binds: keywords, defaults, *args and **kwargs. It ends up in a frame with the parameters in
// its slots, and what a window sees there, compiled code can take over.
class JitEngine::BoundCall final : public FrameObserver {
   public:
    BoundCall(JitEngine& engine, PyFunctionObject* function) : engine_(engine), function_(function) {}

    bool frameStarted(KilnFrame* frame, PyObject** result) override {
        if (kiln_frame_function(frame) != reinterpret_cast<PyObject*>(function_)) {
            return false;  // the binding ran other code, as a keyword's __eq__
        }
        // callInterpreted() has given the evaluation's cost back where CPython would not have nested.
        PyObject** parameters = kiln_frame_slots(frame);
        if (engine_.runNative(function_, parameters, kEvaluationCost, result)) {
            return true;
        }
        engine_.missed(function_, parameters);
        return false;
    }

   private:
    JitEngine& engine_;
    PyFunctionObject* function_;
};

PyObject* JitEngine::vectorcall(PyObject* callable, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    auto* function = reinterpret_cast<PyFunctionObject*>(callable);
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    PyThreadState* thread = PyThreadState_Get();
    if (nativeStackIsShort()) {
        PyFunction_SetVectorcall(function, _PyFunction_Vectorcall);
        CodeRecord* record = recordOf(code);
        record->functionRoot().state = RootState::kCounting;
        rearmLater(*record);
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    if (stopped_ || toolsMayBePresent_ || thread->py_recursion_remaining < 16 ||
        *static_cast<volatile int*>(kiln_eval_breaker(thread->interp)) != 0 || kiln_monitor_others_active(thread, code)) {
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    int charge = calledByInterpreter(thread, callable, arguments) ? 0 : kEvaluationCost;
    if (charge != 0 && thread->c_recursion_remaining < 2 * kEvaluationCost) {
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    if (!isPlainCall(code, nargsf, names)) {
        BoundCall call(*this, function);
        FrameWindow::open(thread, call, 0);
        PyObject* result = callInterpreted(thread, callable, arguments, nargsf, names);
        FrameWindow::close(thread, call);
        return result;
    }
    PyObject* result = nullptr;
    if (runNative(function, arguments, charge, &result)) {
        return result;
    }
    missed(function, arguments);
    return callInterpreted(thread, callable, arguments, nargsf, names);
}

// Runs a function's compiled code on its parameters, borrowed; false when none is for their classes and nothing happened.
bool JitEngine::runNative(PyFunctionObject* function, PyObject* const* parameters, int charge, PyObject** result) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    PyThreadState* thread = PyThreadState_Get();
    Root& root = recordOf(code)->functionRoot();
    if (root.rebuild && root.pending == nullptr && root.state == RootState::kCompiled && mayCompileAgain(root)) {
        buildFunction(root, function, parameters);
    }
    NativeScope entered(thread);
    for (NativeFunction* native : root.natives) {
        if (native->boxedEntry == nullptr || native->function != function) {
            continue;
        }
        thread->py_recursion_remaining--;
        thread->c_recursion_remaining -= charge;
        int tracing = kiln_tracing_suspend(thread);
        auto* words = reinterpret_cast<void**>(const_cast<PyObject**>(parameters));
        NativeResult returned;
        {
            SamplerScope scope(thread, code);
            returned = reinterpret_cast<BoxedEntry>(native->boxedEntry)(entered.context(), words);
        }
        kiln_tracing_restore(thread, tracing);
        thread->c_recursion_remaining += charge;
        thread->py_recursion_remaining++;
        if (returned.status != kNotEntered) {
            root.account.addCall();
            if (root.account.isLosingFunction() && !config().jitAlways) {
                giveUp(root);
            }
            *result = returned.status == kRaised ? nullptr : reinterpret_cast<PyObject*>(returned.value);
            return true;
        }
    }
    return false;
}

// No compiled code fits the parameters' classes: after some such calls a version for them is compiled.
void JitEngine::missed(PyFunctionObject* function, PyObject* const* parameters) {
    constexpr int kMisses = 50;
    Root& root = recordOf(reinterpret_cast<PyCodeObject*>(function->func_code))->functionRoot();
    if (root.versions.size() < kMostVersions && root.pending == nullptr && ++root.entryMisses % kMisses == 0 &&
        root.state == RootState::kCompiled && mayCompileAgain(root)) {
        buildFunction(root, function, parameters);
    }
}

}  // namespace kiln
