// Objects that compiled code only imagined, made real at an exit. All give new references and need the GIL; they run no
// Python code. Where memory runs out they take it from the reserve (memory_reserve.h); that being gone, too, is fatal: the
// interpreter's state could not be restored.
#pragma once

#include <Python.h>

#include <span>

#include "jit/ir/region.h"

namespace kiln {

PyObject* boxInt(int64_t value);
PyObject* boxFloat(double value);
PyObject* boxWord(ir::Type type, int64_t word);
// range(start, stop, step).
PyObject* makeRange(std::span<const int64_t> parts);
// Parts: next, stop; or next, remaining, step. Updates `existing` (takes the reference) or makes an iterator.
PyObject* restoreRangeIterator(PyObject* existing, std::span<const int64_t> parts);
// Takes the references to `existing` (may be NULL) and `sequence`.
PyObject* restoreListIterator(PyObject* existing, PyObject* sequence, int64_t index);
// Takes the references to `existing` (may be NULL; runs over `iterator` then) and `iterator`.
PyObject* restoreEnumerate(PyObject* existing, int64_t index, PyObject* iterator);
// What an instance has by something of its class: a bound method by a function, else what a descriptor of C's gives. nullptr with an
// exception where memory runs out.
PyObject* bindTo(PyObject* ofClass, PyObject* instance);
// An instance of a class, made by the maker's __new__, which looks at no argument. Nothing was initialised.
PyObject* makeInstance(PyTypeObject* cls, PyTypeObject* maker = &PyBaseObject_Type);
// A tuple of a class that is derived from tuple; borrows the items.
PyObject* makeTuple(PyTypeObject* cls, std::span<PyObject* const> items);
// A dict with the keys of a tuple, as many values; borrows them. nullptr with an exception.
PyObject* newDict(PyObject* keys, PyObject* const* values);
// The dict of a call's keywords; borrows them.
PyObject* makeKeywords(PyObject* names, PyObject* const* values);
PyObject* makeComplex(PyTypeObject* cls, double real, double imag);
// A view of the NumPy array, which stays with the caller. Parts: the address of its first element, its lengths, its strides.
PyObject* makeView(PyObject* array, PyObject* dtype, std::span<const int64_t> parts);
// A generator of the function, which stays with the caller, that waits at `unit`. Takes the references to `existing` (may be NULL) and
// to what its frame's slots hold.
PyObject* restoreGenerator(PyObject* existing, PyObject* function, int unit, std::span<PyObject* const> slots);
// Takes the references, as restoreEnumerate.
PyObject* restoreZip(PyObject* existing, std::span<PyObject* const> iterators);

}  // namespace kiln
