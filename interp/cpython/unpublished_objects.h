/* Objects whose layout no header of CPython's tells. */
#pragma once

#include <Python.h>

/* As CPython's sources lay them out. The mechanism tests compare. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject* iterator;
    PyObject* result;
    PyObject* long_index; /* counts past PY_SSIZE_T_MAX; NULL before */
    PyObject* one;
} KilnEnumerate;

typedef struct {
    PyObject_HEAD
    Py_ssize_t count;
    PyObject* iterators; /* a tuple */
    PyObject* result;
    int strict;
} KilnZip;
