// KILN_EXCLUDE: code that the user does not want compiled.
#pragma once

#include <Python.h>

namespace kiln {

// Named in KILN_EXCLUDE by its qualified name, or by FILE:LINE with the first line of its definition. What it is inlined into
// may still be compiled. Needs the GIL.
bool isExcluded(PyCodeObject* code);

}  // namespace kiln
