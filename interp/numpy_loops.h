// The loops of NumPy's functions over float64 and float32, called for one element without a scalar object on the way.
#pragma once

#include <Python.h>

#include <cstdint>

#include "interp/numpy_elements.h"

namespace kiln {

// Looks into a function of NumPy's, a ufunc, for its loops, and tries each on a few numbers: they must be the ones that calling the
// function runs. The classes are NumPy's. Calls its code; may leave an exception set.
void findNumPyLoops(NumPyFunction function, PyObject* ufunc, PyTypeObject* float64, PyTypeObject* float32);
// The same of numpy.absolute for the loops over complex numbers, which count as those of that function.
void findNumPyLengths(PyObject* absolute, PyTypeObject* complex128, PyTypeObject* complex64);
// Whether such a loop was found.
bool hasNumPyLoop(NumPyFunction function, bool isSingle);

// It has none for ints, and takes those of 64 bits for float64.
bool takesInts(NumPyFunction function);

// How compiled code names a loop.
constexpr int64_t numpyLoopNumber(NumPyFunction function, bool isSingle) {
    return 2 * static_cast<int64_t>(function) + (isSingle ? 1 : 0);
}
// What the loop gives for one element; of a function of one operand `right` is not looked at, and
// those of a complex number are its parts. float32 comes and goes as a double.
// Sets `failed` where NumPy may have to warn or raise: it saw a floating-point flag, other than of an underflow that is ignored. Needs
// the GIL; runs no Python code.
double callNumPyLoop(int64_t loop, double left, double right, int64_t* failed);

}  // namespace kiln
