/* Objects whose layout no header of CPython's tells. */
#pragma once

#include <Python.h>

/* A str of ASCII characters that lie behind its head. */
typedef struct {
    PyASCIIObject head;
    unsigned char first;
} KilnText;

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

typedef struct {
    PyObject_HEAD
    PyDictObject* dict; /* NULL when it has run out */
    Py_ssize_t used;
    Py_ssize_t position;
    PyObject* result;
    Py_ssize_t left;
} KilnDictIterator;

typedef struct {
    PyObject_HEAD
    PySetObject* set; /* likewise */
    Py_ssize_t used;
    Py_ssize_t position;
    Py_ssize_t left;
} KilnSetIterator;
