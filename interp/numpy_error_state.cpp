// NumPy 2 has a context variable with a new object for each state: the default's is the only one that is looked for. NumPy 1 has an
// entry in the thread's dict, which is not there until somebody sets a state.
#include "interp/numpy_error_state.h"

#include "interp/attribute.h"

namespace kiln {
namespace {

constexpr const char* kThreadKey = "UFUNC_PYVALS";

PyObject* variable = nullptr;      // of NumPy 2
PyObject* defaultState = nullptr;  // what it has where nothing was set
PyObject* threadKey = nullptr;     // of NumPy 1

// In a context in which nothing was set.
Ref<> callInEmptyContext(PyObject* function) {
    Ref<> context = Ref<>::steal(PyContext_New());
    return context && function != nullptr ? Ref<>::steal(PyObject_CallMethod(context.get(), "run", "O", function)) : Ref<>();
}

bool saysIgnore(PyObject* state) {
    PyObject* under = state != nullptr && PyDict_Check(state) ? PyDict_GetItemString(state, "under") : nullptr;
    return under != nullptr && PyUnicode_Check(under) && PyUnicode_CompareWithASCIIString(under, "ignore") == 0;
}

void findVariable(PyObject* umath, PyObject* geterr) {
    Ref<> found = attribute(umath, "_extobj_contextvar");
    if (!found || !PyContextVar_CheckExact(found.get()) || !saysIgnore(callInEmptyContext(geterr).get())) {
        return;
    }
    Ref<> state = callInEmptyContext(attribute(found.get(), "get").get());
    if (state) {
        variable = found.release();
        defaultState = state.release();
    }
}

// Sets the state that is, and looks whether the entry is there then.
void findThreadKey(PyObject* numpy) {
    Ref<> state = Ref<>::steal(PyObject_CallMethod(numpy, "geterrobj", nullptr));
    Ref<> key = Ref<>::steal(PyUnicode_InternFromString(kThreadKey));
    PyObject* entries = PyThreadState_GetDict();
    if (!state || !key || entries == nullptr) {
        return;
    }
    bool wasThere = PyDict_Contains(entries, key.get()) > 0;
    Ref<> done = Ref<>::steal(PyObject_CallMethod(numpy, "seterrobj", "O", state.get()));
    if (done && PyDict_Contains(entries, key.get()) > 0) {
        if (!wasThere && PyDict_DelItem(entries, key.get()) < 0) {
            return;
        }
        threadKey = key.release();
    }
}

}  // namespace

void findNumPyErrorState(PyObject* numpy) {
    PyObject* umath = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy._core.umath");
    Ref<> geterr = attribute(numpy, "geterr");
    if (umath != nullptr && geterr) {
        findVariable(umath, geterr.get());
    } else if (geterr && saysIgnore(callInEmptyContext(geterr.get()).get())) {
        findThreadKey(numpy);
    }
}

bool ignoresUnderflow() {
    if (variable != nullptr) {
        PyObject* state = nullptr;
        PyObject* raised = PyErr_GetRaisedException();
        bool found = PyContextVar_Get(variable, nullptr, &state) == 0;
        PyErr_SetRaisedException(raised);
        Ref<> held = Ref<>::steal(state);
        return found && state == defaultState;
    }
    PyObject* entries = threadKey != nullptr ? PyThreadState_GetDict() : nullptr;
    return threadKey != nullptr && (entries == nullptr || PyDict_Contains(entries, threadKey) == 0) &&
           PyDict_Contains(PyEval_GetBuiltins(), threadKey) == 0;
}

}  // namespace kiln
