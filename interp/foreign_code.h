// Code of extension modules. CPython's own, the standard library's modules among it, asks for the current frame by functions that kiln passes
// by (cpython/waiting_frames.c); others may read it from the thread's state, as greenlet does.
#pragma once

#include <Python.h>

namespace kiln {

// A call of it may begin with code of an extension module. Needs the GIL; runs no Python code.
bool entersForeignCode(PyObject* callable);

}  // namespace kiln
