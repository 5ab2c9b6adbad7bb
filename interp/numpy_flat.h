// NumPy's iterators over all elements of an array, `array.flat`, as far as they lie as compiled code expects them to.
#pragma once

#include <Python.h>

#include "interp/numpy_elements.h"

namespace kiln {

// Where PyArrayIterObject keeps what compiled code reads and writes: checked on iterators of the NumPy at hand.
namespace flat_layout {
inline constexpr int kIndex = 24;
inline constexpr int kSize = 32;
inline constexpr int kCoordinates = 40;
inline constexpr int kStrides = 552;
inline constexpr int kArray = 1320;
inline constexpr int kPlace = 1328;
inline constexpr int kContiguous = 1336;  // one byte
inline constexpr int kBytes = 1344;
}  // namespace flat_layout

// Looks what NumPy's are like; compiled code goes without if they lie otherwise.
void findNumPyFlat(PyObject* module);
// Their class, and what the class of arrays has for the attribute; nullptr where compiled code goes without. Borrowed.
PyTypeObject* numpyFlatClass();
PyObject* numpyFlatGetter();
// False for nullptr.
bool isFlatClass(const PyTypeObject* cls);
// Whose elements they are. Borrowed.
PyObject* arrayOfFlat(PyObject* flat);

}  // namespace kiln
