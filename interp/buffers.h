// Objects that hold one row of numbers: bytes, bytearray, arrays of the module `array`, and memoryviews. What compiled code reads of them.
#pragma once

#include <Python.h>

#include "interp/numpy_elements.h"

namespace kiln {

// Exactly one of these classes. False for nullptr.
bool isBufferClass(const PyTypeObject* cls);
// What the items of such an object are like; not known for those that compiled code has no numbers for, and for a memoryview that is
// no plain row.
ArrayLayout bufferLayout(PyObject* buffer);
// The class of its iterators, which lie as a list's do; nullptr where they do not.
PyTypeObject* bufferIteratorClass(const PyTypeObject* buffer);
// The same of an object with two items, found by making one: for bufferIteratorClass().
PyTypeObject* listLikeIteratorOf(PyObject* buffer);
// What an iterator over such an object runs over, if that is of exactly one of these classes; nullptr for all others, and for one that
// has ended. Borrowed.
PyObject* bufferOfIterator(PyObject* iterator);

// The characters that a memoryview's format may consist of for such elements, the last one 0; nullptr where there is none.
const char* formatsOf(Element element);

}  // namespace kiln
