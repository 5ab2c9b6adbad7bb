// C functions by their own calling conventions.
#pragma once

#include <Python.h>

namespace kiln {

// METH_NOARGS, METH_O and so on of a builtin function or a C method that is given its instance first; -1 of anything else.
int conventionOf(PyObject* callee);
// Is `callee` a builtin function, or a C method that is given its instance first, which takes these `given` arguments as they lie?
bool takesPlainly(PyObject* callee, Py_ssize_t given);
// Calls one that does. A new reference, or NULL with an exception. Counts nesting as CPython's CALL does once it is specialised. Needs the GIL.
PyObject* callPlainly(PyThreadState* thread, PyObject* callee, PyObject* const* arguments, Py_ssize_t given);

}  // namespace kiln
