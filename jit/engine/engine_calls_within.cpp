// Calls of compiled functions that compiled code makes: the arguments' references are the callee's.
#include <algorithm>

#include "interp/recursion_budget.h"
#include "jit/engine/engine.h"
#include "jit/engine/entering.h"
#include "jit/runtime/memory_reserve.h"

namespace kiln {

PyObject* JitEngine::callTaking(PyFunctionObject* function, PyObject** parameters, const NativeFunction& wanted) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    bool isPositional = code->co_kwonlyargcount == 0 && !(code->co_flags & (CO_VARARGS | CO_VARKEYWORDS));
    if (isPositional && isEnteredByOthers(function)) {
        auto given = static_cast<size_t>(code->co_argcount);
        PyObject* result = PyObject_Vectorcall(reinterpret_cast<PyObject*>(function), parameters, given, nullptr);
        std::for_each(parameters, parameters + given, Py_DecRef);
        return result;
    }
    PyThreadState* thread = kiln_thread();
    Root* root = rootEntered(function);
    bool enters = root != nullptr && mayEnter(thread, function, *root, kEvaluationCost);
    if (enters && !hasCodeFor(*root, wanted)) {
        missed(function, *root, parameters, &wanted);  // another version takes these, but not from compiled code
    }
    return callBound(thread, function, enters ? root : nullptr, parameters, kEvaluationCost);
}

PyObject* JitEngine::callGiving(PyFunctionObject* function, PyObject** arguments, size_t given, PyObject* names) {
    if (isEnteredByOthers(function)) {
        return PyObject_Vectorcall(reinterpret_cast<PyObject*>(function), arguments, given, names);
    }
    if (!isEnteredByCell(function)) {
        wantCode(reinterpret_cast<PyCodeObject*>(function->func_code));  // a place that met many callees could not tell
    }
    return call(kiln_thread(), function, arguments, given, names, {.isInterpreter = false, .gives = true});
}

const EntryCell* JitEngine::cellEntered(PyFunctionObject* function) {
    if (isEnteredByCell(function)) {
        return &cellOf(function);
    }
    CodeRecord* record = recordForCallers(function);
    if (record == nullptr) {
        return nullptr;
    }
    if (record->entered == nullptr || record->entered->entry == nullptr || !record->entered->serves(function)) {
        Root* root = rootForCallers(*record);
        record->entered = root != nullptr ? cellFor(function, *root) : nullptr;
    }
    return record->entered;
}

NativeResult JitEngine::callWithin(NativeContext* context, const EntryCell& cell, PyFunctionObject* function, PyObject** arguments, size_t given) {
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    if (!fitsCell(cell, function, given, nullptr) || reserveIsGone || isHeldBack(thread, 0)) {
        return {0, kNotEntered};
    }
    PyObject* parameters[kMostParameters];
    std::copy_n(arguments, given, parameters);
    takeDefaults(cell, function, given, parameters);
    uint64_t numbers = cell.numbers;
    int count = cell.parameters;
    NativeResult returned = cell.entry(context, function, reinterpret_cast<void**>(parameters));
    if (returned.status == kNotEntered) {
        std::for_each(parameters + given, parameters + count, Py_DecRef);
    } else {
        dropNumbers(numbers, parameters);
    }
    return returned;
}

// For compiled code that has the frames of whoever waits yet to make: nothing runs until the arguments are bound.
Root* JitEngine::enterable(PyThreadState* thread, const EntryCell& cell, PyFunctionObject* function) {
    Root* root = cell.code == function->func_code ? cell.root : rootEntered(function);
    bool hasPlainDefaults = function->func_kwdefaults == nullptr || kiln_dict_has_plain_keys(function->func_kwdefaults);
    return root != nullptr && hasPlainDefaults && mayEnter(thread, function, *root, 0) ? root : nullptr;
}

NativeResult JitEngine::enterWithin(NativeContext* context, PyFunctionObject* function, Root& root, PyObject** parameters) {
    NativeResult returned{0, kNotEntered};
    bool entered = enterFirst(root, function, [&](BoxedEntry entry, uint64_t numbers) {
        returned = entry(context, function, reinterpret_cast<void**>(parameters));
        if (returned.status != kNotEntered) {
            dropNumbers(numbers, parameters);
        }
        return returned.status != kNotEntered;
    });
    if (!entered) {
        missed(function, root, parameters, nullptr);
    }
    return returned;
}

}  // namespace kiln
