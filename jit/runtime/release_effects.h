// Whether giving references up may run Python code: finalisers, callbacks of weak references, whatever a C type does as it ends.
#pragma once

#include <Python.h>

#include <cstddef>

namespace kiln {

// Of references to be given up together: false when what ends with them, contents included, is known to run no Python code. A
// NULL among them is nothing. Needs the GIL; runs no Python code, changes nothing.
bool mayRunCode(PyObject* const* references, size_t count);

}  // namespace kiln
