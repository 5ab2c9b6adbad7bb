// Failures as Python exceptions.
#pragma once

#include <Python.h>

#include "gpu/frontend/compile_kernel.h"
#include "gpu/runtime/failure.h"

namespace kiln::gpu {

// Sets the exception that the failure names: a builtin, or a class of numba.core.errors or numba.cuda.cudadrv; interruption()'s is set
// already. Always nullptr.
PyObject* raise(const Failure& failure);
PyObject* raise(const CompileError& error);

}  // namespace kiln::gpu
