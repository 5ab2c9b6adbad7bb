#include "jit/engine/call_binding.h"

#include <algorithm>
#include <utility>

#include "interp/python_text.h"

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
    if (isInternedOnce(name)) {
        return -1;  // those of code are interned
    }
    for (int index = code->co_posonlyargcount; index < count; index++) {
        if (PyUnicode_Compare(names[index], name) == 0) {
            return index;
        }
    }
    return -1;
}

}  // namespace

CallBinding::~CallBinding() {
    for (int index = 0; index < count_; index++) {
        Py_XDECREF(slots_[index]);
    }
}

bool CallBinding::bind(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names, bool gives) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    auto** places = const_cast<PyObject**>(arguments);
    bool takesMore = (code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) != 0;
    auto missing = code->co_argcount - static_cast<Py_ssize_t>(given);
    Py_ssize_t defaults = function->func_defaults != nullptr ? PyTuple_GET_SIZE(function->func_defaults) : 0;
    bool isPlain = names == nullptr && code->co_kwonlyargcount == 0 && !takesMore && code->co_argcount <= kMostParameters;
    if (isPlain && missing >= 0 && missing <= defaults) {
        for (size_t index = 0; index < given; index++) {
            slots_[index] = gives ? std::exchange(places[index], Py_None) : Py_NewRef(arguments[index]);
        }
        for (Py_ssize_t index = 0; index < missing; index++) {
            slots_[static_cast<Py_ssize_t>(given) + index] = Py_NewRef(PyTuple_GET_ITEM(function->func_defaults, defaults - missing + index));
        }
        count_ = code->co_argcount;
        return true;
    }
    if (!bindUnusual(function, arguments, given, names)) {
        return false;
    }
    size_t all = given + (names != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0);
    for (size_t index = 0; gives && index < all; index++) {
        Py_DECREF(std::exchange(places[index], Py_None));  // a parameter holds it
    }
    return true;
}

// *args and **kwargs, after the other parameters.
bool CallBinding::collectOthers(PyCodeObject* code, PyObject* const* arguments, size_t given) {
    size_t plain = std::min(given, static_cast<size_t>(code->co_argcount));
    if (code->co_flags & CO_VARARGS) {
        PyObject* rest = PyTuple_New(static_cast<Py_ssize_t>(given - plain));
        if (rest == nullptr) {
            return false;
        }
        for (size_t index = plain; index < given; index++) {
            PyTuple_SET_ITEM(rest, static_cast<Py_ssize_t>(index - plain), Py_NewRef(arguments[index]));
        }
        slots_[count_++] = rest;
    }
    if (code->co_flags & CO_VARKEYWORDS) {
        named_ = PyDict_New();
        slots_[count_++] = named_;
    }
    return named_ != nullptr || !(code->co_flags & CO_VARKEYWORDS);
}

bool CallBinding::bindUnusual(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    auto expected = static_cast<size_t>(code->co_argcount);
    int parameters = code->co_argcount + code->co_kwonlyargcount;
    if (parameters + 2 > kMostParameters || (given > expected && !(code->co_flags & CO_VARARGS))) {
        return false;
    }
    size_t plain = std::min(given, expected);
    std::transform(arguments, arguments + plain, slots_, Py_NewRef);
    std::fill(slots_ + plain, slots_ + parameters, nullptr);
    count_ = parameters;
    if (!collectOthers(code, arguments, given) || !bindKeywords(code, arguments + given, names) || !bindDefaults(function)) {
        PyErr_Clear();
        return false;
    }
    return function->func_code == reinterpret_cast<PyObject*>(code);
}

bool CallBinding::bindKeywords(PyCodeObject* code, PyObject* const* values, PyObject* names) {
    for (Py_ssize_t index = 0; names != nullptr && index < PyTuple_GET_SIZE(names); index++) {
        PyObject* name = PyTuple_GET_ITEM(names, index);
        if (!PyUnicode_CheckExact(name)) {
            return false;
        }
        int parameter = parameterNamed(code, name);
        if (parameter >= 0 && slots_[parameter] == nullptr) {
            slots_[parameter] = Py_NewRef(values[index]);
        } else if (parameter >= 0 || named_ == nullptr || PyDict_SetItem(named_, name, values[index]) != 0) {
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
            slots_[parameter] = Py_XNewRef(PyDict_GetItemWithError(function->func_kwdefaults, name));
        } else if (parameter < code->co_argcount && parameter >= first) {
            slots_[parameter] = Py_NewRef(PyTuple_GET_ITEM(defaults, parameter - first));
        }
        if (slots_[parameter] == nullptr) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln
