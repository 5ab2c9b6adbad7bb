/* Small facts of CPython's structures, and what is changed in them. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"
#include "interp/cpython/unpublished_objects.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_list.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_range.h>
#include <internal/pycore_tuple.h>
#include <stddef.h>

bool kiln_is_main_interpreter(PyThreadState* tstate) {
    return _Py_IsMainInterpreter(tstate->interp);
}

long kiln_range_iterator_start(PyObject* iterator) {
    return ((_PyRangeIterObject*)iterator)->start;
}

long kiln_range_iterator_step(PyObject* iterator) {
    return ((_PyRangeIterObject*)iterator)->step;
}

PyObject* kiln_list_iterator_sequence(PyObject* object) {
    if (Py_IS_TYPE(object, &PyListIter_Type)) {
        PyListObject* list = ((_PyListIterObject*)object)->it_seq;
        return list != NULL && PyList_CheckExact(list) ? (PyObject*)list : NULL;
    }
    if (Py_IS_TYPE(object, &PyTupleIter_Type)) {
        PyTupleObject* tuple = ((_PyTupleIterObject*)object)->it_seq;
        return tuple != NULL && PyTuple_CheckExact(tuple) ? (PyObject*)tuple : NULL;
    }
    return NULL;
}

PyObject* kiln_sequence_iterator_sequence(PyObject* object) {
    bool is_alike = PySeqIter_Type.tp_basicsize == sizeof(_PyListIterObject);
    return is_alike && Py_IS_TYPE(object, &PySeqIter_Type) ? (PyObject*)((_PyListIterObject*)object)->it_seq : NULL;
}

PyObject* kiln_list_like_sequence(PyObject* iterator) {
    return (PyObject*)((_PyListIterObject*)iterator)->it_seq;
}

bool kiln_is_list_like_iterator(PyObject* iterator, PyObject* sequence, Py_ssize_t index) {
    return Py_TYPE(iterator)->tp_basicsize >= (Py_ssize_t)sizeof(_PyListIterObject) && kiln_list_like_sequence(iterator) == sequence &&
           ((_PyListIterObject*)iterator)->it_index == index;
}

PyObject* kiln_enumerate_iterator(PyObject* object) {
    if (!Py_IS_TYPE(object, &PyEnum_Type) || PyEnum_Type.tp_basicsize != sizeof(KilnEnumerate)) {
        return NULL;
    }
    KilnEnumerate* enumerate = (KilnEnumerate*)object;
    return enumerate->long_index == NULL ? enumerate->iterator : NULL;
}

void kiln_enumerate_set_index(PyObject* enumerate, Py_ssize_t index) {
    ((KilnEnumerate*)enumerate)->index = index;
}

PyObject* kiln_zip_iterators(PyObject* object) {
    if (!Py_IS_TYPE(object, &PyZip_Type) || PyZip_Type.tp_basicsize != sizeof(KilnZip)) {
        return NULL;
    }
    KilnZip* zip = (KilnZip*)object;
    return zip->strict == 0 ? zip->iterators : NULL;
}

PyObject* kiln_range_iterator_new(void) {
    return (PyObject*)PyObject_New(_PyRangeIterObject, &PyRangeIter_Type);
}

void kiln_range_iterator_set(PyObject* iterator, long next, long step, long remaining) {
    _PyRangeIterObject* range = (_PyRangeIterObject*)iterator;
    range->start = next;
    range->step = step;
    range->len = remaining;
}

void kiln_list_iterator_set_index(PyObject* iterator, Py_ssize_t index) {
    ((_PyListIterObject*)iterator)->it_index = index;
}
