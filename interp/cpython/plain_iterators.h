/* Iterators over dicts and sets as CPython's sources lay them out: no header says so. The mechanism tests compare. */
#ifndef KILN_PLAIN_ITERATORS_H
#define KILN_PLAIN_ITERATORS_H

#include <Python.h>

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

#endif
