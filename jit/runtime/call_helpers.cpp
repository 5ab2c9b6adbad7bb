// Helpers that call what they are given.
#include "interp/c_functions.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/foreign_code.h"
#include "interp/py_ref.h"
#include "interp/recursion_budget.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_words.h"
#include "jit/runtime/spread_calls.h"

namespace kiln {
namespace {

// What the callable's code reads by itself is there.
void showFramesTo(PyThreadState* thread, PyObject* callable) {
    if (entersForeignCode(callable)) {
        kiln_make_waiting_frames(thread);
    }
}

// words: keyword names or 0, callable, arguments.
int64_t call(const int64_t* w, int64_t count) {
    PyObject* names = object(w[0]);
    auto* arguments = reinterpret_cast<PyObject* const*>(w + 2);
    size_t positional = static_cast<size_t>(count) - 2 - (names != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
    PyThreadState* thread = kiln_thread();
    showFramesTo(thread, object(w[1]));
    if (names == nullptr && takesPlainly(object(w[1]), count - 2)) {
        return word(callPlainly(thread, object(w[1]), arguments, count - 2));
    }
    int credit = uncountedNesting(object(w[1]));
    thread->c_recursion_remaining += credit;
    PyObject* result = PyObject_Vectorcall(object(w[1]), arguments, positional, names);
    thread->c_recursion_remaining -= credit;
    return word(result);
}

// What a call with `*items` makes of them.
Ref<> tupleOf(PyObject* callable, PyObject* items) {
    if (PyTuple_CheckExact(items)) {
        return Ref<>::borrow(items);
    }
    if (Py_TYPE(items)->tp_iter != nullptr || PySequence_Check(items)) {
        return Ref<>::steal(PySequence_Tuple(items));
    }
    if (Ref<> name = Ref<>::steal(_PyObject_FunctionStr(callable))) {
        PyErr_Format(PyExc_TypeError, "%U argument after * must be an iterable, not %.200s", name.get(), Py_TYPE(items)->tp_name);
    }
    return {};
}

// words: a callable that takes them plainly, and its arguments.
int64_t callC(const int64_t* w, int64_t count) {
    return word(callPlainly(kiln_thread(), object(w[0]), reinterpret_cast<PyObject* const*>(w + 1), count - 1));
}

// The same of others, too.
int64_t callLeaf(const int64_t* w, int64_t count) {
    auto* arguments = reinterpret_cast<PyObject* const*>(w + 1);
    return takesPlainly(object(w[0]), count - 1) ? callC(w, count)
                                                 : word(PyObject_Vectorcall(object(w[0]), arguments, static_cast<size_t>(count) - 1, nullptr));
}

int64_t strOf(const int64_t* w, int64_t) {
    return word(PyObject_Str(object(w[0])));
}

int64_t tupleFrom(const int64_t* w, int64_t) {
    return word(PySequence_Tuple(object(w[0])));
}

}  // namespace

int64_t callSequence(const int64_t* w, int64_t) {
    Ref<> items = tupleOf(object(w[0]), object(w[1]));
    if (!items) {
        return 0;
    }
    PyThreadState* thread = PyThreadState_Get();
    showFramesTo(thread, object(w[0]));
    int credit = uncountedNesting(object(w[0]));
    thread->c_recursion_remaining += credit;
    PyObject* result = PyObject_Call(object(w[0]), items.get(), object(w[2]));
    thread->c_recursion_remaining -= credit;
    return word(result);
}

void fillCallHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_call, call);
    set(Helper::k_call_sequence, callSequence);
    set(Helper::k_call_c, callC);
    set(Helper::k_call_leaf, callLeaf);
    set(Helper::k_make_str, strOf);
    set(Helper::k_make_tuple, tupleFrom);
}

}  // namespace kiln
