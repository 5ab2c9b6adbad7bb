// Helpers for exceptions that compiled code handles itself.
#include <algorithm>

#include "interp/cpython/cpython_shim.h"
#include "interp/operator_methods.h"
#include "interp/py_ref.h"
#include "jit/ir/tables.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/plain_words.h"

namespace kiln {
namespace {

// Nobody else has the exception, which is of one of these classes: it is taken. Else it stays set.
Ref<> takeUnseen(const int64_t* classes, int64_t count) {
    Ref<> raised = Ref<>::steal(PyErr_GetRaisedException());
    auto isOne = [&](int64_t cls) { return PyErr_GivenExceptionMatches(raised.get(), object(cls)) != 0; };
    if (!endsUnseen(raised.get()) || std::none_of(classes, classes + count, isOne)) {
        PyErr_SetRaisedException(raised.release());
    }
    return raised;
}

int64_t takeUnseenOne(const int64_t* w, int64_t count) {
    return reinterpret_cast<int64_t>(takeUnseen(w, count).release());
}

int64_t discard(const int64_t* w, int64_t count) {
    return takeUnseen(w, count) ? 1 : 0;
}

int64_t take(const int64_t*, int64_t) {
    return reinterpret_cast<int64_t>(PyErr_GetRaisedException());
}

int64_t setRaised(const int64_t* w, int64_t) {
    PyErr_SetRaisedException(Py_NewRef(object(w[0])));
    endFrameAt(static_cast<int>(w[1]));
    return 0;
}

// As CPython looks special methods up: in the class alone. Without one nullptr, and no exception.
PyObject* boundSpecial(PyObject* of, Special special) {
    PyObject* found = kiln_type_lookup(Py_TYPE(of), specialName(special));
    descrgetfunc bind = found != nullptr ? Py_TYPE(found)->tp_descr_get : nullptr;
    return bind != nullptr ? bind(found, of, reinterpret_cast<PyObject*>(Py_TYPE(of))) : Py_XNewRef(found);
}

bool hasNone(PyObject* method, PyObject* manager, const char* text) {
    if (method == nullptr && !PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, text, Py_TYPE(manager)->tp_name);
    }
    return method == nullptr;
}

int64_t enterWith(const int64_t* w, int64_t) {
    PyObject* manager = object(w[0]);
    Ref<> enter = Ref<>::steal(boundSpecial(manager, Special::k_enter));
    if (hasNone(enter.get(), manager, "'%.200s' object does not support the context manager protocol")) {
        return 0;
    }
    Ref<> leave = Ref<>::steal(boundSpecial(manager, Special::k_exit));
    if (hasNone(leave.get(), manager, "'%.200s' object does not support the context manager protocol (missed __exit__ method)")) {
        return 0;
    }
    Ref<> entered = Ref<>::steal(PyObject_CallNoArgs(enter.get()));
    return entered ? reinterpret_cast<int64_t>(PyTuple_Pack(2, entered.get(), leave.get())) : 0;
}

int64_t leaveWith(const int64_t* w, int64_t) {
    PyObject* exception = object(w[1]);
    Ref<> link = Ref<>::steal(PyException_GetTraceback(exception));
    PyObject* traceback = link ? link.get() : Py_None;
    PyObject* stack[] = {nullptr, PyExceptionInstance_Class(exception), exception, traceback};
    return reinterpret_cast<int64_t>(PyObject_Vectorcall(object(w[0]), stack + 1, 3 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
}

// An instance of what an exception is raised as, or given for its cause; nullptr after an error.
Ref<> instanceOf(PyObject* given) {
    return PyExceptionClass_Check(given) ? Ref<>::steal(PyObject_CallNoArgs(given)) : Ref<>::borrow(given);
}

bool setCause(PyObject* raised, PyObject* given) {
    Ref<> cause = instanceOf(given);
    bool isOne = cause && (cause.get() != given || cause.get() == Py_None || PyExceptionInstance_Check(given));
    if (isOne) {
        PyException_SetCause(raised, given == Py_None ? nullptr : cause.release());
    } else if (cause) {
        PyErr_SetString(PyExc_TypeError, "exception causes must derive from BaseException");
    }
    return isOne;
}

// Never gives anything.
int64_t raise(const int64_t* w, int64_t count) {
    PyObject* given = object(w[0]);
    Ref<> raised = instanceOf(given);
    if (raised && PyExceptionInstance_Check(raised.get())) {
        if (count == 1 || setCause(raised.get(), object(w[1]))) {
            PyErr_SetObject(raised.get() != given ? given : PyExceptionInstance_Class(given), raised.get());
        }
    } else if (raised && raised.get() != given) {
        PyErr_Format(PyExc_TypeError, "calling %R should have returned an instance of BaseException, not %R", given, Py_TYPE(raised.get()));
    } else if (raised) {
        PyErr_SetString(PyExc_TypeError, "exceptions must derive from BaseException");
    }
    return 0;
}

int64_t handled(const int64_t*, int64_t) {
    return reinterpret_cast<int64_t>(PyErr_GetHandledException());
}

int64_t matches(const int64_t* w, int64_t) {
    return PyErr_GivenExceptionMatches(object(w[0]), object(w[1]));
}

int64_t exchangeHandled(PyObject* exception) {
    PyObject* before = kiln_exchange_handled(PyThreadState_Get(), Py_NewRef(exception));
    return reinterpret_cast<int64_t>(before != nullptr ? before : Py_NewRef(Py_None));
}

int64_t exchange(const int64_t* w, int64_t) {
    return exchangeHandled(object(w[0]));
}

}  // namespace

void fillExceptionHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_set_exception, setRaised);
    set(Helper::k_enter_with, enterWith);
    set(Helper::k_leave_with, leaveWith);
    set(Helper::k_raise, raise);
    set(Helper::k_handled_exception, handled);
    set(Helper::k_take_exception, take);
    set(Helper::k_discard_exception, discard);
    set(Helper::k_take_unseen_exception, takeUnseenOne);
    set(Helper::k_exception_matches, matches);
    set(Helper::k_push_handled, exchange);
    set(Helper::k_pop_handled, exchange);
}

}  // namespace kiln
