// The Python type of kernels.
#pragma once

#include <Python.h>

namespace kiln::gpu {

// New reference, or nullptr with an exception. Needs the GIL.
PyObject* kernelType();

}  // namespace kiln::gpu
