// C functions by their own calling conventions, as the interpreter's specialised CALL calls them.
#pragma once

#include <Python.h>

namespace kiln {

// Is `callee` a builtin function, or a C method that is given its instance first, which takes these `given` arguments as they lie?
bool takesPlainly(PyObject* callee, Py_ssize_t given);
// Calls one that does. A new reference, or NULL with an exception. Counts nesting where CPython's CALL does. Needs the GIL.
PyObject* callPlainly(PyThreadState* thread, PyObject* callee, PyObject* const* arguments, Py_ssize_t given);

}  // namespace kiln
