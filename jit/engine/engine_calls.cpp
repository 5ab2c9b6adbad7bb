// Calls of compiled functions from the interpreter: whose entry is swapped, and how arguments reach compiled code.
#include "interp/config.h"
#include "interp/recursion_budget.h"
#include "interp/support/monotonic_clock.h"
#include "jit/engine/call_binding.h"
#include "jit/engine/engine.h"
#include "jit/engine/native_stack.h"
#include "jit/runtime/native_scope.h"
#include "profiler/frame_window.h"
#include "profiler/sampler.h"

namespace kiln {

PyObject* kilnVectorcall(PyObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    return JitEngine::instance().vectorcall(function, arguments, nargsf, names);
}

void JitEngine::swap(PyFunctionObject* function) {
    kiln_function_enter_by(function, kilnVectorcall);
    swapped_.insert(function);
}

void JitEngine::unswap(PyFunctionObject* function) {
    kiln_function_enter_by(function, nullptr);
    swapped_.erase(function);
}

// All functions of this code.
void JitEngine::unswap(Root& root) {
    for (auto entry = swapped_.begin(); entry != swapped_.end();) {
        PyFunctionObject* function = *entry;
        bool affected = function->func_code == reinterpret_cast<PyObject*>(root.record->code);
        entry = affected ? swapped_.erase(entry) : std::next(entry);
        if (affected) {
            kiln_function_enter_by(function, nullptr);
        }
    }
    if (root.record->version != 0) {
        kiln_code_give_version(root.record->code, std::exchange(root.record->version, 0));
    }
}

void JitEngine::unswapAll() {
    for (CodeRecord* record : records_) {
        if (record->function == nullptr || record->function->versions.empty()) {
            continue;
        }
        unswap(*record->function);
        record->function->state = RootState::kCounting;
        record->function->nextTry = record->function->count + threshold(*record->function);
        rearmLater(*record);
    }
}

// Functions of compiled code are made again and again: lambdas, and functions defined in functions.
void JitEngine::functionCreated(PyFunctionObject* function) {
    void* extra = nullptr;
    if (PyUnstable_Code_GetExtra(function->func_code, extraIndex_, &extra) != 0 || extra == nullptr) {
        return;
    }
    const Root* root = static_cast<CodeRecord*>(extra)->function.get();
    if (root != nullptr && root->state == RootState::kCompiled && !root->versions.empty() && !stopped_ && !toolsMayBePresent_) {
        swap(function);
    }
}

// True when an instruction of the interpreter made this call itself: the arguments lie on the operand stack, or the callable
// lies where CALL_FUNCTION_EX has it.
bool JitEngine::calledByInterpreter(PyObject* callable, PyObject* const* arguments) {
    KilnFrame* frame = kiln_current_frame(PyThreadState_Get());
    if (frame == nullptr) {
        return false;
    }
    PyObject** slots = kiln_frame_slots(frame);
    PyCodeObject* code = kiln_frame_code(frame);
    if (arguments >= slots && arguments <= slots + code->co_nlocalsplus + code->co_stacksize) {
        return true;
    }
    if (!kiln_frame_calls_with_tuple(frame)) {
        return false;
    }
    const BytecodeInstruction* in = recordOf(code)->profile().bytecode().at(kiln_frame_last_unit(frame));
    int below = in != nullptr ? 2 + (in->oparg & 1) : 0;  // the argument tuple, and the dict of keywords
    return below != 0 && in->depth >= below && slots[code->co_nlocalsplus + in->depth - below] == callable;
}

// As the interpreter makes the call: unswapped, it would not nest in C. The native stack is watched instead.
PyObject* JitEngine::callInterpreted(PyThreadState* thread, PyObject* callable, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    int credit = calledByInterpreter(callable, arguments) ? kEvaluationCost : 0;
    thread->c_recursion_remaining += credit;
    PyObject* result = _PyFunction_Vectorcall(callable, arguments, nargsf, names);
    thread->c_recursion_remaining -= credit;
    return result;
}

PyObject* JitEngine::vectorcall(PyObject* callable, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    auto* function = reinterpret_cast<PyFunctionObject*>(callable);
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    PyThreadState* thread = PyThreadState_Get();
    if (nativeStackIsShort()) {
        unswap(function);
        CodeRecord* record = recordOf(code);
        record->functionRoot().state = RootState::kCounting;
        rearmLater(*record);
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    CodeRecord& record = *recordOf(code);
    Root& root = record.functionRoot();
    if (root.versions.empty()) {
        unswap(function);  // its code was thrown away, or it has other code now
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    if (record.armed || stopped_ || toolsMayBePresent_ || thread->py_recursion_remaining < 16 ||
        *static_cast<volatile int*>(kiln_eval_breaker(thread->interp)) != 0 || isWatched(thread, code)) {
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    int charge = calledByInterpreter(callable, arguments) ? 0 : kEvaluationCost;
    if (charge != 0 && thread->c_recursion_remaining < 2 * kEvaluationCost) {
        return callInterpreted(thread, callable, arguments, nargsf, names);
    }
    CallBinding binding;
    if (!binding.bind(function, arguments, static_cast<size_t>(PyVectorcall_NARGS(nargsf)), names)) {
        return callBoundByInterpreter(function, arguments, nargsf, names);
    }
    PyObject* result = nullptr;
    if (runNative(function, binding.arguments(), charge, &result)) {
        if (!retired_.empty()) {
            releaseRetired();
        }
        return result;
    }
    missed(function, binding.arguments());
    return callInterpreted(thread, callable, arguments, nargsf, names);
}

// A call that is too unusual for CallBinding, or wrong. If it ends up in a frame with the parameters in its slots, compiled
// code can take over what a window sees there.
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

PyObject* JitEngine::callBoundByInterpreter(PyFunctionObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    PyThreadState* thread = PyThreadState_Get();
    BoundCall call(*this, function);
    FrameWindow::open(thread, call, 0);
    PyObject* result = callInterpreted(thread, reinterpret_cast<PyObject*>(function), arguments, nargsf, names);
    FrameWindow::close(thread, call);
    return result;
}

// Runs a function's compiled code on its parameters, borrowed; false when none is for their classes and nothing happened.
bool JitEngine::runNative(PyFunctionObject* function, PyObject* const* parameters, int charge, PyObject** result) {
    PyThreadState* thread = PyThreadState_Get();
    Root& root = recordOf(reinterpret_cast<PyCodeObject*>(function->func_code))->functionRoot();
    if (root.unrollAt != 0 && monotonicMilliseconds() > root.unrollAt) {
        root.unrollAt = 0;
        root.rebuild = true;
    }
    if (root.rebuild && root.pending == nullptr && root.state == RootState::kCompiled && mayCompileAgain(root)) {
        buildFunction(root, function, parameters);
    }
    NativeScope entered(thread, root.record->code);
    auto* words = reinterpret_cast<void**>(const_cast<PyObject**>(parameters));
    for (size_t index = 0; index < root.natives.size(); index++) {
        const NativeFunction& native = *root.natives[index];
        if (native.boxedEntry == nullptr || native.globals != function->func_globals || native.builtins != function->func_builtins) {
            continue;
        }
        thread->py_recursion_remaining--;
        thread->c_recursion_remaining -= charge;
        int tracing = kiln_tracing_suspend(thread);
        NativeResult returned = reinterpret_cast<BoxedEntry>(native.boxedEntry)(entered.context(), function, words);
        kiln_tracing_restore(thread, tracing);
        thread->c_recursion_remaining += charge;
        thread->py_recursion_remaining++;
        if (returned.status != kNotEntered) {
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
