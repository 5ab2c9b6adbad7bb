// What objects of the classes that are met most hold, without the two indirect calls for each that tp_traverse takes.
#pragma once

#include <Python.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "interp/cpython/cpython_shim.h"

namespace kiln {

// Is there such an object among what is held? No answer where tp_traverse must tell.
using Answer = std::optional<bool>;

// Of the values of a dict with keys that are strings.
template <typename Test>
Answer anyValue(PyObject* dict, const Test& test) {
    char* place = nullptr;
    size_t apart = 0;
    Py_ssize_t count = kiln_dict_values(dict, &place, &apart);
    for (Py_ssize_t left = count; left > 0; left--, place += apart) {
        if (test(*reinterpret_cast<PyObject**>(place))) {
            return true;
        }
    }
    return count < 0 ? std::nullopt : Answer(false);
}

template <typename Test>
bool anyItem(PyObject* sequence, const Test& test) {
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    return std::any_of(items, items + Py_SIZE(sequence), test);
}

// Besides its code, its closure and its namespaces.
template <typename Test>
bool anyDetail(const PyFunctionObject* function, const Test& test) {
    const std::initializer_list<PyObject*> details = {function->func_defaults,   function->func_kwdefaults, function->func_annotations, function->func_dict, function->func_typeparams,
                                                      function->func_module,     function->func_name,       function->func_qualname,    function->func_doc};
    return std::any_of(details.begin(), details.end(), test);
}
inline constexpr Py_ssize_t kHeldByFunction = 9 + 4;  // in so many places

template <typename Test>
Answer anyHeldByFunction(PyObject* object, const Test& test) {
    const auto* function = reinterpret_cast<PyFunctionObject*>(object);
    if (function->func_weakreflist != nullptr) {
        return std::nullopt;
    }
    return test(function->func_closure) || anyDetail(function, test) || test(function->func_code) || test(function->func_globals) || test(function->func_builtins);
}

// Of an instance of a class without slots, over object. It holds the class, too, which holds itself.
template <typename Test>
Answer anyAttribute(PyObject* instance, const Test& test) {
    PyObject** values = nullptr;
    Py_ssize_t count = kiln_instance_values(instance, &values);
    return count < 0 ? std::nullopt : Answer(std::any_of(values, values + count, test));
}

// Exact built-in classes; `test` is asked of NULL, too.
template <typename Test>
Answer anyHeld(PyObject* object, const Test& test) {
    PyTypeObject* cls = Py_TYPE(object);
    if (cls == &PyTuple_Type || cls == &PyList_Type) {
        return anyItem(object, test);
    }
    if (cls == &PyDict_Type) {
        return anyValue(object, test);
    }
    if (cls == &PyCell_Type) {
        return test(PyCell_GET(object));
    }
    if (cls == &PyFunction_Type) {
        return anyHeldByFunction(object, test);
    }
    if (cls == &PySlice_Type) {
        auto* slice = reinterpret_cast<PySliceObject*>(object);
        return test(slice->start) || test(slice->stop) || test(slice->step);
    }
    auto* method = reinterpret_cast<PyMethodObject*>(object);
    if (cls == &PyMethod_Type && method->im_weakreflist == nullptr) {
        return test(method->im_func) || test(method->im_self);
    }
    return std::nullopt;
}

}  // namespace kiln
