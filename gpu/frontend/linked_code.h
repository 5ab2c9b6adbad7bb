// Code of other languages, as the package numba passes it.
#pragma once

#include <Python.h>

#include <vector>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Reads a tuple of (kind, name, bytes). False with an exception. Needs the GIL.
[[nodiscard]] bool readLinkedCode(PyObject* list, std::vector<LinkedCode>& out);
// Appends what is not there yet.
void addLinkedCode(LinkedCode code, std::vector<LinkedCode>& out);

}  // namespace kiln::gpu
