// What numpy.errstate and numpy.seterr say at the moment, as far as compiled code asks.
#pragma once

#include <Python.h>

namespace kiln {

// Looks where this NumPy keeps it: once, when NumPyTypes does. Calls NumPy's functions; may leave an exception set.
void findNumPyErrorState(PyObject* numpy);
// NumPy does nothing about an underflow on this thread, in its current context: it is as nobody has changed it. False where that is
// not known. Needs the GIL; runs no Python code; an exception that is set stays.
bool ignoresUnderflow();

}  // namespace kiln
