// C functions by their own calling conventions.
#pragma once

#include <Python.h>

namespace kiln {

// Is it what a class of C's has for a method, a slot wrapper (`dict.__init__`) among them, which is given its instance first?
bool isMethodOfC(PyObject* object);
// METH_NOARGS, METH_O and so on of a builtin function or a C method that is given its instance first; -1 of anything else.
int conventionOf(PyObject* callee);
// Is `callee` a builtin function or a method of C's that can be called with these `given` arguments as they lie?
bool takesPlainly(PyObject* callee, Py_ssize_t given);
// Calls one that can. A new reference, or NULL with an exception. Counts nesting as CPython's CALL does once it is specialised. Needs the GIL.
PyObject* callPlainly(PyThreadState* thread, PyObject* callee, PyObject* const* arguments, Py_ssize_t given);

}  // namespace kiln
