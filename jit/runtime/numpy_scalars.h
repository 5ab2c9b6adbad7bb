// NumPy scalars that compiled code holds as numbers.
#pragma once

#include <Python.h>

#include <cstdint>

namespace kiln {

// A new reference, never NULL (see memory_reserve.h). `word`: an int, 0 or 1, or the bits of a double. `cls` is one of NumPyTypes's.
// Needs the GIL; runs no Python code.
PyObject* boxScalar(PyTypeObject* cls, int64_t word);
// Of a scalar of a class with one number that is an object of its own: what boxScalar() makes one like it of.
bool hasWord(PyTypeObject* cls);
int64_t wordOf(PyObject* scalar);
// The same of a complex class, of its parts.
PyObject* boxComplexScalar(PyTypeObject* cls, double real, double imag);
// May + - * / of two doubles, or two floats, with this result raise a flag of overflow, underflow, invalid value or zero divisor, or may
// NumPy's result be another nan? A result below `smallest` has lost bits, unless it is an exact zero.
bool mayRaiseFlag(double result, double left, double right, double smallest);

}  // namespace kiln
