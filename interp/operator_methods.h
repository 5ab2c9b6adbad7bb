// Which method of a class an operation calls.
#pragma once

#include <Python.h>

namespace kiln {

// By BINARY_OP's operator number: the Python function that `cls` has for the operator with an instance on the left, or on
// the right (`reflected`). nullptr when it has none, when another callable is found, and for an in-place operator that the
// class has a method of its own for. Borrowed; needs the GIL, runs no Python code.
PyFunctionObject* operatorMethod(PyTypeObject* cls, int operation, bool reflected);
// The name that it is found by. Borrowed, immortal.
PyObject* operatorMethodName(int operation, bool reflected);

enum class Special {
#define KILN_SPECIAL(name) k_##name,
#include "interp/special_names.def"
#undef KILN_SPECIAL
    kCount
};

// The one that a comparison calls with its instance on the left: Py_LT and so on.
inline Special specialOf(int comparison) {
    return static_cast<Special>(comparison);
}
// The Python function that `cls` has for a special method; nullptr when it has none, or another callable. Borrowed; needs the GIL, runs
// no Python code.
PyFunctionObject* specialMethod(PyTypeObject* cls, Special special);
// Its name. Borrowed, immortal.
PyObject* specialName(Special special);
// The one that the truth of an instance is asked of.
Special truthMethod(PyTypeObject* cls);
// The operator as CPython's messages name it.
const char* operatorText(int operation);

}  // namespace kiln
