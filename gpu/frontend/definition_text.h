// The text of one definition, out of that of its file.
#pragma once

#include <Python.h>

#include <string>

namespace kiln::gpu {

// A text that has nothing but the definition at which the code object begins, in its own lines and columns, and above it what
// its code depends on: the names that the module imports, and those that an inner function captures. Where it compiles to the
// code object, it has the definition.
// Empty, or another text, where lines and indentation alone do not tell. Needs the GIL.
std::string definitionText(const std::string& text, PyCodeObject* code);

}  // namespace kiln::gpu
