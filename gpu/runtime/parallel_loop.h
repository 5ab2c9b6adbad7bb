// The Python class of a loop whose iterations run on all cores: what numba's prange becomes.
#pragma once

#include <Python.h>

namespace kiln::gpu {

// A new reference to the class _kiln.ParallelLoop; nullptr with an exception.
PyObject* parallelLoopType();

}  // namespace kiln::gpu
