// Calls of compiled functions from the interpreter: whose entry is swapped, and how arguments reach compiled code. As where CPython
// enters a Python function, the callee takes the references to its arguments from the caller's operand stack.
#include <opcode.h>

#include <algorithm>
#include <cstddef>

#include "interp/config.h"
#include "interp/recursion_budget.h"
#include "jit/engine/call_binding.h"
#include "jit/engine/engine.h"
#include "jit/engine/entering.h"
#include "jit/engine/hotness.h"
#include "jit/engine/native_stack.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/native_scope.h"
#include "profiler/frame_window.h"
#include "profiler/sampler.h"

namespace kiln {

PyObject* kilnVectorcall(PyObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    return JitEngine::instance().vectorcall(function, arguments, nargsf, names);
}

// Functions that are still entered by cells leave that at their next calls.
void JitEngine::unswap(Root& root) {
    if (root.record->version != 0) {
        kiln_code_give_version(root.record->code, std::exchange(root.record->version, 0));
    }
}

void JitEngine::unswapAll() {
    for (const auto& [address, region] : regions_) {
        auto found = rootOf_.find(address);
        Root* root = found != rootOf_.end() ? found->second : nullptr;
        if (root == nullptr || root != root->record->function.get() || root->versions.empty() || root->versions.front() != address) {
            continue;
        }
        unswap(*root);
        root->state = RootState::kCounting;
        root->nextTry = root->count + threshold(*root);
        records_.rearmLater(*root->record);
    }
}

// The one that leads functions with these namespaces to the root's code; NULL when there are too many.
EntryCell* JitEngine::cellFor(PyFunctionObject* function, Root& root) {
    auto fits = [&](const EntryCellRef& cell) { return cell->serves(function); };
    auto cell = std::find_if(root.cells.begin(), root.cells.end(), fits);
    if (cell != root.cells.end()) {
        return cell->get();
    }
    constexpr size_t kMostNamespaces = 8;
    EntryCellRef made = root.cells.size() < kMostNamespaces ? takeEntryCell() : nullptr;
    if (!made) {
        return nullptr;
    }
    const PyCodeObject* code = root.record->code;
    bool isPlain = code->co_kwonlyargcount == 0 && !(code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) && code->co_argcount <= kMostParameters;
    *made = {.code = code, .root = &root, .globals = function->func_globals, .builtins = function->func_builtins, .parameters = isPlain ? code->co_argcount : -1};
    root.cells.push_back(std::move(made));
    settleCells(root);
    return root.cells.back().get();
}

// Calls of the function enter its compiled code from now on.
void JitEngine::swap(PyFunctionObject* function, Root& root) {
    kiln::enterByCell(function, cellFor(function, root));
}

// Of a function that CPython enters as it would without kiln; NULL when only that is possible, or somebody else enters it.
Root* JitEngine::rootForCallers(PyFunctionObject* function) const {
    CodeRecord* record = recordForCallers(function);
    return record != nullptr ? rootForCallers(*record) : nullptr;
}

CodeRecord* JitEngine::recordForCallers(PyFunctionObject* function) const {
    return kiln_function_enters_by(function, nullptr) ? records_.find(reinterpret_cast<PyCodeObject*>(function->func_code)) : nullptr;
}

Root* JitEngine::rootForCallers(const CodeRecord& record) {
    Root* root = record.function.get();
    return root != nullptr && root->isForCallers() && root->state == RootState::kCompiled && !root->versions.empty() ? root : nullptr;
}

// The root whose code a call of the function enters; NULL when there is none.
Root* JitEngine::rootEntered(PyFunctionObject* function) {
    return isEnteredByCell(function) ? &rootOfFunction(function) : rootForCallers(function);
}

// Functions of compiled code are made again and again: lambdas, and functions defined in functions.
void JitEngine::functionCreated(PyFunctionObject* function) {
    CodeRecord* record = records_.find(reinterpret_cast<PyCodeObject*>(function->func_code));
    Root* root = record != nullptr ? record->function.get() : nullptr;
    if (root != nullptr && root->state == RootState::kCompiled && !root->isForCallers() && !root->versions.empty() && !stopped_ && !toolsMayBePresent_) {
        swap(function, *root);
    }
}

namespace {

// The instruction that puts what a call finds at this place of the stack; NULL where several may.
const BytecodeInstruction* makerOf(const Bytecode& bytecode, const BytecodeInstruction& call, int place) {
    const BytecodeInstruction* first = bytecode.instructions().data();
    const BytecodeInstruction* next = &call;
    while (next != first && !next->leader && next->depth != place + 1) {
        next--;
    }
    return next == first || next->leader ? nullptr : next - 1;
}

// True when what was put at the place still exists: CALL_FUNCTION_EX makes tuples of other iterables, which may be gone then while the
// place names them. It does not of tuples and constants.
bool isIntact(const BytecodeInstruction* maker) {
    constexpr int kListToTuple = 6;  // operand of CALL_INTRINSIC_1
    return maker != nullptr && (maker->opcode == BUILD_TUPLE || maker->opcode == LOAD_CONST || (maker->opcode == CALL_INTRINSIC_1 && maker->oparg == kListToTuple));
}

// The tuple whose items are a call's arguments.
PyObject* tupleAround(PyObject* const* items) {
    return reinterpret_cast<PyObject*>(reinterpret_cast<char*>(const_cast<PyObject**>(items)) - offsetof(PyTupleObject, ob_item));
}

// For a call that the interpreter makes itself, which unswapped would not nest in C: the native stack is watched instead.
class InterpretedNesting {
   public:
    InterpretedNesting(PyThreadState* thread, int charge) : thread_(thread), credit_(kEvaluationCost - charge) {
        thread_->c_recursion_remaining += credit_;
    }
    InterpretedNesting(const InterpretedNesting&) = delete;
    InterpretedNesting& operator=(const InterpretedNesting&) = delete;
    ~InterpretedNesting() { thread_->c_recursion_remaining -= credit_; }

   private:
    PyThreadState* thread_;
    int credit_;
};

// False when the code is not for the parameters' classes. `numbers`: those of which it leaves the references.
bool run(PyThreadState* thread, BoxedEntry entry, uint64_t numbers, NativeContext* context, PyFunctionObject* function, PyObject** parameters, int charge, PyObject** result) {
    thread->py_recursion_remaining--;
    thread->c_recursion_remaining -= charge;
    int tracing = kiln_tracing_suspend(thread);
    NativeResult returned = entry(context, function, reinterpret_cast<void**>(parameters));
    kiln_tracing_restore(thread, tracing);
    thread->c_recursion_remaining += charge;
    thread->py_recursion_remaining++;
    if (returned.status == kNotEntered) {
        return false;
    }
    dropNumbers(numbers, parameters);
    *result = returned.status == kRaised ? nullptr : reinterpret_cast<PyObject*>(returned.value);
    return true;
}

// Compiled code makes the call, and the operand stack is not the interpreter's.
bool isWaitedIn(KilnFrame* frame) {
    const auto* record = static_cast<const Activation*>(kiln_frame_record(frame));
    return record != nullptr && record->site != nullptr;
}

}  // namespace

// What an instruction of the interpreter that makes a call says of it.
JitEngine::Caller JitEngine::callerOf(KilnFrame* frame, PyObject* callable, PyObject* const* arguments, size_t count) {
    if (frame == nullptr) {
        return {};
    }
    KilnCallPlace from = kiln_frame_call_place(frame, callable, arguments, count);
    if (from != KILN_CALL_ELSEWHERE) {
        return {.isInterpreter = true, .gives = from == KILN_CALL_BY_FRAME, .looks = from == KILN_CALL_BY_FRAME};
    }
    if (!kiln_frame_calls_with_tuple(frame) || isWaitedIn(frame)) {
        return {};
    }
    PyObject** slots = kiln_frame_slots(frame);
    PyCodeObject* code = kiln_frame_code(frame);
    const Bytecode& bytecode = records_.of(code).profile().bytecode();
    const BytecodeInstruction* in = bytecode.at(kiln_frame_last_unit(frame));
    int below = in != nullptr ? 2 + (in->oparg & 1) : 0;  // the argument tuple, and the dict of keywords
    if (below == 0 || in->depth < below) {
        return {};
    }
    PyObject** place = slots + code->co_nlocalsplus + in->depth - below;
    if (*place != callable) {
        return {};
    }
    // Not where the tuple was made of another iterable, which may be gone while the place names it. Of a list that was built for the call
    // it was made without running code, which could have called the function, too.
    const BytecodeInstruction* maker = makerOf(bytecode, *in, in->depth - below + 1);
    bool isBuilt = below == 2 && !toolsMayBePresent_ && maker != nullptr && maker->opcode == BUILD_LIST;
    bool isItsTuple = isBuilt || arguments == reinterpret_cast<PyTupleObject*>(place[1])->ob_item;
    if (below == 2 || isItsTuple) {
        return {.isInterpreter = true, .gives = isItsTuple && Py_REFCNT(tupleAround(arguments)) == 1, .looks = true};
    }
    // With keywords the arguments lie in an array made for the call. A tool's callback has one, too.
    bool emptiesTuple = isIntact(maker) && PyTuple_CheckExact(place[1]) && Py_REFCNT(place[1]) == 1;
    return {.isInterpreter = true,
            .gives = !toolsMayBePresent_,
            .looks = true,
            .tuple = emptiesTuple ? place[1] : nullptr,
            .dict = Py_REFCNT(place[2]) == 1 ? place[2] : nullptr};
}

// The interpreter's own references, which it would have given up before the callee starts. The parameters hold the objects.
void JitEngine::Caller::emptyHolders() const {
    for (Py_ssize_t index = 0; gives && tuple != nullptr && index < PyTuple_GET_SIZE(tuple); index++) {
        Py_DECREF(std::exchange(reinterpret_cast<PyTupleObject*>(tuple)->ob_item[index], Py_None));
    }
    if (gives && dict != nullptr) {
        PyDict_Clear(dict);
    }
}

// False when the function has no code at present, or it may not be entered now. `charge`: of the C recursion budget.
bool JitEngine::mayEnter(PyThreadState* thread, PyFunctionObject* function, Root& root, int charge) {
    CodeRecord& record = *root.record;
    if (nativeStackIsShort()) {
        enterByInterpreter(function);
        root.state = RootState::kCounting;
        records_.rearmLater(record);
        return false;
    }
    if (root.versions.empty()) {
        enterByInterpreter(function);  // its code was thrown away, or it has other code now
        return false;
    }
    if (record.armed) {
        notePass();
    }
    return !record.armed && keepReserve() && !isHeldBack(thread, charge);
}

// No compiled code may be entered now, whosever.
bool JitEngine::isHeldBack(PyThreadState* thread, int charge) const {
    return stopped_ || toolsMayBePresent_ || thread->py_recursion_remaining < 16 || *static_cast<volatile int*>(kiln_eval_breaker(thread->interp)) != 0 ||
           isWatched(thread, nullptr) || (charge != 0 && thread->c_recursion_remaining < 2 * kEvaluationCost);
}

// Code may be entered now, without a look at its root where a cell has it.
bool JitEngine::isOpen(PyThreadState* thread, int charge) const {
    return !nativeStackIsShort() && !reserveIsGone && !isHeldBack(thread, charge);
}

PyObject* JitEngine::vectorcall(PyObject* callable, PyObject* const* arguments, size_t nargsf, PyObject* names) {
    auto* function = reinterpret_cast<PyFunctionObject*>(callable);
    auto given = static_cast<size_t>(PyVectorcall_NARGS(nargsf));
    size_t named = names != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0;
    PyThreadState* thread = kiln_thread();
    KilnFrame* frame = kiln_current_frame(thread);
    Caller caller = callerOf(frame, callable, arguments, given + named);
    PyObject* result = call(thread, function, arguments, given, names, caller);
    if (caller.looks && result != nullptr) {
        kiln_skip_pending_behind_call(thread);
    }
    return result;
}

PyObject* JitEngine::call(PyThreadState* thread, PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names,
                          const Caller& caller) {
    int charge = caller.isInterpreter ? 0 : kEvaluationCost;
    bool isSwapped = isEnteredByCell(function);
    const EntryCell& cell = isSwapped ? cellOf(function) : noCell;
    if (fitsCell(cell, function, given, names) && isOpen(thread, charge)) {
        PyObject* parameters[kMostParameters];
        takeParameters(cell, function, const_cast<PyObject**>(arguments), given, caller.gives, parameters);
        caller.emptyHolders();
        Root& root = *cell.root;
        PyObject* result = nullptr;
        return enterByCell(thread, cell, function, parameters, charge, &result) ? left(result) : callBound(thread, function, &root, parameters, charge);
    }
    Root* root = rootEntered(function);
    root = root != nullptr && mayEnter(thread, function, *root, charge) ? root : nullptr;
    CallBinding binding;
    if (binding.bind(function, arguments, given, names, caller.gives)) {
        PyObject** parameters = binding.parameters();
        binding.taken();
        caller.emptyHolders();
        return callBound(thread, function, root, parameters, charge);
    }
    if (root != nullptr) {
        return callBoundByInterpreter(function, arguments, given, names, charge);
    }
    InterpretedNesting nesting(thread, charge);
    return _PyFunction_Vectorcall(reinterpret_cast<PyObject*>(function), arguments, given, names);
}

// Of a function that does little and that C code calls; NULL while it has no code. `record` has what the next call is to ask.
const EntryCell* JitEngine::cellForC(CodeRecord& record, PyFunctionObject* function) {
    Root& root = record.functionRoot();
    if (!root.wanted && !stopped_) {
        want(root);
    }
    bool isCompiled = root.state == RootState::kCompiled;
    const EntryCell* cell = isCompiled ? cellFor(function, root) : nullptr;
    bool isFit = !isCompiled || (cell != nullptr && cell->parameters >= 0);
    record.entry->calls_from_c_left = isFit && !stopped_ && root.state != RootState::kBlacklisted ? 0 : KILN_NEVER;
    return isFit ? cell : nullptr;
}

// The interpreter, which calls such a function without nesting, is better off without its code; C code would start an interpreter for it.
bool JitEngine::enterFromC(PyThreadState* thread, CodeRecord& record, PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject** result) {
    const EntryCell* cell = record.fromC;
    if (cell == nullptr || cell->entry == nullptr || !cell->serves(function)) {
        cell = record.fromC = cellForC(record, function);
    }
    if (cell == nullptr || !kiln_function_enters_by(function, nullptr) || FrameWindow::isOpen(thread) || !bindsByPosition(*cell, function, given, nullptr)) {
        return false;
    }
    Root& root = *cell->root;
    const bool isReady = cell->entry != nullptr && isOpen(thread, kEvaluationCost);
    if (!isReady && !mayEnter(thread, function, root, kEvaluationCost)) {
        return false;
    }
    PyObject* parameters[kMostParameters];
    const int count = cell->parameters;
    takeParameters(*cell, function, const_cast<PyObject**>(arguments), given, false, parameters);
    bool isEntered = isReady && enterByCell(thread, *cell, function, parameters, kEvaluationCost, result);
    if (isEntered || runNative(thread, function, root, parameters, kEvaluationCost, result)) {
        *result = left(*result);
        return true;
    }
    missed(function, root, parameters, nullptr);
    std::for_each(parameters, parameters + count, Py_DecRef);
    return false;
}

// `root`: the function's, whose code may be entered; NULL when none may.
PyObject* JitEngine::callBound(PyThreadState* thread, PyFunctionObject* function, Root* root, PyObject** parameters, int charge) {
    PyObject* result = nullptr;
    if (root != nullptr) {
        if (runNative(thread, function, *root, parameters, charge, &result)) {
            return left(result);
        }
        missed(function, *root, parameters, nullptr);
    }
    InterpretedNesting nesting(thread, charge);
    return kiln_function_run(thread, function, parameters, parameterCount(reinterpret_cast<PyCodeObject*>(function->func_code)));
}

// Compiled code has been left, and maybe for the last time.
PyObject* JitEngine::left(PyObject* result) {
    if (!retired_.empty()) {
        releaseRetired();
    }
    return result;
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
        // The evaluation's cost was given back where CPython would not have nested.
        PyObject** parameters = kiln_frame_slots(frame);
        Root& root = engine_.rootOfFunction(function_);
        if (engine_.runNative(kiln_thread(), function_, root, parameters, kEvaluationCost, result)) {
            std::fill_n(parameters, parameterCount(kiln_frame_code(frame)), nullptr);
            return true;
        }
        engine_.missed(function_, root, parameters, nullptr);
        return false;
    }

   private:
    JitEngine& engine_;
    PyFunctionObject* function_;
};

PyObject* JitEngine::callBoundByInterpreter(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names, int charge) {
    PyThreadState* thread = kiln_thread();
    BoundCall call(*this, function);
    FrameWindow::open(thread, call, 0);
    InterpretedNesting nesting(thread, charge);
    PyObject* result = _PyFunction_Vectorcall(reinterpret_cast<PyObject*>(function), arguments, given, names);
    FrameWindow::close(thread, call);
    return result;
}

// Runs a function's compiled code on its parameters and takes their references, which stay in the array but are nobody's any more;
// false when none is for their classes and nothing happened.
bool JitEngine::runNative(PyThreadState* thread, PyFunctionObject* function, Root& root, PyObject** parameters, int charge, PyObject** result) {
    if (root.rebuild && root.pending == nullptr && root.state == RootState::kCompiled && mayCompileAgain(root) &&
        fitsRebuild(root, parameters)) {
        buildFunction(root, function, parameters, nullptr);
    }
    NativeScope entered(thread, root.record->code, root.versions.empty() ? ReportTier::kQuick : root.versions.front()->runningTier());
    return enterFirst(root, function, [&](BoxedEntry entry, uint64_t numbers) {
        return run(thread, entry, numbers, entered.context(), function, parameters, charge, result);
    });
}

// The same by the code that its cell has.
bool JitEngine::enterByCell(PyThreadState* thread, const EntryCell& cell, PyFunctionObject* function, PyObject** parameters, int charge, PyObject** result) {
    NativeScope entered(thread, reinterpret_cast<PyCodeObject*>(function->func_code), cell.tier);
    return run(thread, cell.entry, cell.numbers, entered.context(), function, parameters, charge, result);
}

// No compiled code fits the parameters' classes: after some such calls a version for them is compiled.
void JitEngine::missed(PyFunctionObject* function, Root& root, PyObject* const* parameters, const NativeFunction* wanted) {
    if (root.versions.size() < kMostVersions && root.pending == nullptr && root.state == RootState::kCompiled && missesOften(root) &&
        mayCompileAgain(root)) {
        buildFunction(root, function, parameters, wanted);
    }
}

}  // namespace kiln
