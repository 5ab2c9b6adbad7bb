// Views of NumPy's arrays, made without their index expression: by two functions of NumPy's C interface, which NumPy 1 and 2 both
// export at the same places. They are tried once, on an array that NumPy makes.
#pragma once

#include <Python.h>

#include <cstdint>

#include "interp/numpy_elements.h"

namespace kiln {

// Looks for the functions. `module`: numpy. Needs the GIL; no exception is left where views cannot be made so.
void findNumPyViews(PyObject* module);
bool canMakeNumPyViews();
// Compiled code makes the items of such an array: elements, or views.
bool makesItems(const ArrayLayout& layout);
// What an index of integers and slices gives, and what a transposed array is: a new reference to an array of that dtype, the array's
// or of one of its elements' parts, and of the same flags, that shows the memory of `array` at `address`, and holds it or the array
// whose memory it is. Lengths and strides (in bytes), one for each dimension. nullptr with an exception where memory runs out.
PyObject* makeNumPyView(PyObject* array, PyObject* dtype, int64_t address, int dimensions, const int64_t* lengths,
                        const int64_t* strides);

}  // namespace kiln
