// Which method of a class a binary operator calls.
#pragma once

#include <Python.h>

namespace kiln {

// By BINARY_OP's operator number: the Python function that `cls` has for the operator with an instance on the left, or on
// the right (`reflected`). nullptr when it has none, when another callable is found, and for an in-place operator that the
// class has a method of its own for. Borrowed; needs the GIL, runs no Python code.
PyFunctionObject* operatorMethod(PyTypeObject* cls, int operation, bool reflected);
// The same for `instance[key]`.
PyFunctionObject* subscriptMethod(PyTypeObject* cls);
// The names that these are found by. Borrowed, immortal.
PyObject* operatorMethodName(int operation, bool reflected);
PyObject* subscriptMethodName();
// The operator as CPython's messages name it.
const char* operatorText(int operation);

}  // namespace kiln
