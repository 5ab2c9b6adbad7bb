// Calls that compiled code makes of functions without native code for them: the callee takes the arguments' references.
#include "jit/engine/native_calls.h"

#include <algorithm>

#include "interp/recursion_budget.h"
#include "interp/support/short_vector.h"
#include "jit/engine/engine.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {
namespace {

// The parameter's object, a reference of its own. The objects of numbers are borrowed.
PyObject* takeParameter(const NativeFunction& callee, const int64_t* words, size_t index) {
    size_t parameters = callee.arguments.size() - callee.boxedParameters.size();
    if (callee.arguments[index] == ir::Type::kObject) {
        return reinterpret_cast<PyObject*>(words[index]);
    }
    for (size_t box = 0; box < callee.boxedParameters.size(); box++) {
        int64_t object = words[parameters + box] & ~int64_t{1};
        if (callee.boxedParameters[box] == static_cast<int>(index) && object != 0) {
            return Py_NewRef(reinterpret_cast<PyObject*>(object));
        }
    }
    return boxWord(callee.arguments[index], words[index]);
}

// As CALL: a method that is bound to its instance gives way to the function. The callable lies below the arguments.
PyObject* callGiving(PyObject** arguments, size_t given, PyObject* names) {
    PyObject* callable = arguments[-1];
    JitEngine& engine = JitEngine::instance();
    if (PyFunction_Check(callable)) {
        return engine.callGiving(reinterpret_cast<PyFunctionObject*>(callable), arguments, given, names);
    }
    if (PyMethod_Check(callable) && PyFunction_Check(PyMethod_GET_FUNCTION(callable))) {
        Ref<> function = Ref<>::borrow(PyMethod_GET_FUNCTION(callable));
        arguments[-1] = Py_NewRef(PyMethod_GET_SELF(callable));
        Py_DECREF(callable);
        return engine.callGiving(reinterpret_cast<PyFunctionObject*>(function.get()), arguments - 1, given + 1, names);
    }
    return PyObject_Vectorcall(callable, arguments, given, names);
}

}  // namespace

NativeResult callFallback(NativeContext* context, NativeFunction* callee, int64_t* words) {
    ensureFrames(context);
    ShortVector<PyObject*, 16> parameters(callee->arguments.size() - callee->boxedParameters.size());
    for (size_t index = 0; index < parameters.size(); index++) {
        parameters[index] = takeParameter(*callee, words + 1, index);
    }
    PyObject* result = nullptr;
    if (std::find(parameters.begin(), parameters.end(), nullptr) == parameters.end()) {
        auto* thread = static_cast<PyThreadState*>(context->threadState);
        thread->c_recursion_remaining += kEvaluationCost;
        thread->py_recursion_remaining++;  // the call was charged for the callee's frame
        result = JitEngine::instance().callTaking(reinterpret_cast<PyFunctionObject*>(words[0]), parameters.data(), *callee);
        thread->py_recursion_remaining--;
        thread->c_recursion_remaining -= kEvaluationCost;
    } else {
        std::for_each(parameters.begin(), parameters.end(), Py_XDECREF);  // no memory for a number
    }
    return {reinterpret_cast<int64_t>(result), result != nullptr ? kBoxedResult : kRaised};
}

int64_t callPython(const int64_t* words, int64_t count) {
    auto* names = reinterpret_cast<PyObject*>(words[0]);
    auto* callable = reinterpret_cast<PyObject*>(words[1]);
    auto** arguments = reinterpret_cast<PyObject**>(const_cast<int64_t*>(words + 2));
    auto all = static_cast<size_t>(count) - 2;
    size_t given = all - (names != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
    PyThreadState* thread = PyThreadState_Get();
    int credit = uncountedNesting(callable);
    thread->c_recursion_remaining += credit;
    bool looks = !PyFunction_Check(callable);
    PyObject* result = callGiving(arguments, given, names);
    thread->c_recursion_remaining -= credit;
    std::for_each(arguments - 1, arguments + all, Py_DecRef);
    if (looks && result != nullptr && kiln_handle_pending(thread) != 0) {
        Py_CLEAR(result);
    }
    return reinterpret_cast<int64_t>(result);
}

}  // namespace kiln
