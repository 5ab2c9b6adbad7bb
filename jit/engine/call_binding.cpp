#include "jit/engine/call_binding.h"

#include <algorithm>

namespace kiln {
namespace {

// The parameter of this name among those that may be given by keyword; -1 when there is none.
int parameterNamed(PyCodeObject* code, PyObject* name) {
    PyObject* const* names = &PyTuple_GET_ITEM(code->co_localsplusnames, 0);
    int count = code->co_argcount + code->co_kwonlyargcount;
    for (int index = code->co_posonlyargcount; index < count; index++) {
        if (names[index] == name) {
            return index;
        }
    }
    for (int index = code->co_posonlyargcount; index < count; index++) {
        if (PyUnicode_Compare(names[index], name) == 0) {
            return index;
        }
    }
    return -1;
}

}  // namespace

bool CallBinding::bind(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    auto expected = static_cast<size_t>(code->co_argcount);
    bool takesMore = (code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) != 0;
    if (names == nullptr && given == expected && code->co_kwonlyargcount == 0 && !takesMore) {
        bound_ = arguments;
        return true;
    }
    int parameters = code->co_argcount + code->co_kwonlyargcount;
    if (parameters + 2 > kMostParameters || (given > expected && !(code->co_flags & CO_VARARGS))) {
        return false;
    }
    size_t plain = std::min(given, expected);
    std::copy_n(arguments, plain, slots_);
    std::fill(slots_ + plain, slots_ + parameters, nullptr);
    int next = parameters;
    if (code->co_flags & CO_VARARGS) {
        rest_ = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(given - plain)));
        for (size_t index = plain; rest_ && index < given; index++) {
            PyTuple_SET_ITEM(rest_.get(), static_cast<Py_ssize_t>(index - plain), Py_NewRef(arguments[index]));
        }
        slots_[next++] = rest_.get();
    }
    if (code->co_flags & CO_VARKEYWORDS) {
        named_ = Ref<>::steal(PyDict_New());
        slots_[next++] = named_.get();
    }
    bound_ = slots_;
    bool made = std::find(slots_ + parameters, slots_ + next, nullptr) == slots_ + next;
    if (!made || !bindKeywords(code, arguments + given, names) || !bindDefaults(function)) {
        PyErr_Clear();
        return false;
    }
    return true;
}

bool CallBinding::bindKeywords(PyCodeObject* code, PyObject* const* values, PyObject* names) {
    for (Py_ssize_t index = 0; names != nullptr && index < PyTuple_GET_SIZE(names); index++) {
        PyObject* name = PyTuple_GET_ITEM(names, index);
        if (!PyUnicode_CheckExact(name)) {
            return false;
        }
        int parameter = parameterNamed(code, name);
        if (parameter >= 0 && slots_[parameter] == nullptr) {
            slots_[parameter] = values[index];
        } else if (parameter >= 0 || !named_ || PyDict_SetItem(named_.get(), name, values[index]) != 0) {
            return false;
        }
    }
    return true;
}

bool CallBinding::bindDefaults(PyFunctionObject* function) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    PyObject* defaults = function->func_defaults;
    int first = code->co_argcount - (defaults != nullptr ? static_cast<int>(PyTuple_GET_SIZE(defaults)) : 0);
    for (int parameter = 0; parameter < code->co_argcount + code->co_kwonlyargcount; parameter++) {
        if (slots_[parameter] != nullptr) {
            continue;
        }
        if (parameter >= code->co_argcount && function->func_kwdefaults != nullptr) {
            PyObject* name = PyTuple_GET_ITEM(code->co_localsplusnames, parameter);
            slots_[parameter] = PyDict_GetItemWithError(function->func_kwdefaults, name);
        } else if (parameter < code->co_argcount && parameter >= first) {
            slots_[parameter] = PyTuple_GET_ITEM(defaults, parameter - first);
        }
        if (slots_[parameter] == nullptr) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln
