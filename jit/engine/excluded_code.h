// KILN_EXCLUDE: code that the user does not want compiled.
#pragma once

#include <Python.h>

namespace kiln {

// Named in KILN_EXCLUDE by its qualified name, by FILE:LINE with the first line of its definition, or by a folder that its file
// lies below. What it is inlined into may still be compiled. Needs the GIL.
bool isExcluded(PyCodeObject* code);

}  // namespace kiln
