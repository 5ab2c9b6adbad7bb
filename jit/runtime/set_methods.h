// What sets and frozensets do with others and with what is iterated over quietly, where no Python code runs. Nothing looks at more
// members than CPython's own function does: a large set that takes in a few items is not gone through.
//
// NULL, or KILN_ASK: nothing was done, and CPython must do it; an exception may be set. Borrows; needs the GIL.
#pragma once

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/builtin_calls.h"

namespace kiln {

// Of two sets or frozensets. `operation`: NB_AND, NB_OR, NB_XOR or NB_SUBTRACT.
PyObject* combineSets(int operation, PyObject* a, PyObject* b);
// `operation`: Py_LT and so on.
KilnAnswer compareSets(int operation, PyObject* a, PyObject* b);

// Methods, for rows of builtin_calls.def: the set, and one that is iterated over quietly.
PyObject* updateSet(Arguments a, Py_ssize_t count);
PyObject* takeItemsFromSet(Arguments a, Py_ssize_t count);
PyObject* differenceOfSet(Arguments a, Py_ssize_t count);
PyObject* intersectionOfSet(Arguments a, Py_ssize_t count);
PyObject* isDisjoint(Arguments a, Py_ssize_t count);
PyObject* isSubset(Arguments a, Py_ssize_t count);
PyObject* isSuperset(Arguments a, Py_ssize_t count);

}  // namespace kiln
