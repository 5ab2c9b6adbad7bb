// Values of built-in classes that are iterated over without running Python code.
#pragma once

#include <Python.h>

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"

namespace kiln {

// A list or tuple, exactly.
inline bool isSequence(PyObject* object) {
    return PyList_CheckExact(object) || PyTuple_CheckExact(object);
}

// A list, tuple, set, frozenset, dict, view of a dict, text, bytes or range, exactly.
bool isQuietIterable(PyObject* object);
// All items of one of these suit. Goes through it.
bool holdsOnly(PyObject* iterable, bool (*suits)(PyObject*));

// Calls visit(item) for the items of one of these, until it is false. False then, and with an exception on no memory.
template <typename Visit>
bool visitItems(PyObject* iterable, const Visit& visit) {
    Ref<> iterator = Ref<>::steal(PyObject_GetIter(iterable));
    Ref<> item = Ref<>::steal(iterator ? PyIter_Next(iterator.get()) : nullptr);
    while (item) {
        if (!visit(item.get())) {
            return false;
        }
        item = Ref<>::steal(PyIter_Next(iterator.get()));
    }
    return iterator && PyErr_Occurred() == nullptr;
}

// The same with each item's hash, visit(item, hash). False too where Python code would compute it.
template <typename Visit>
bool visitHashed(PyObject* iterable, const Visit& visit) {
    if (!PyAnySet_CheckExact(iterable)) {
        return visitItems(iterable, [&](PyObject* item) {
            Py_hash_t hash = kiln_plain_hash(item);
            return hash != -1 && visit(item, hash);
        });
    }
    Py_ssize_t position = 0;
    PyObject* item = nullptr;
    Py_hash_t hash = 0;
    while (_PySet_NextEntry(iterable, &position, &item, &hash) != 0) {
        if (!visit(item, hash)) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln
