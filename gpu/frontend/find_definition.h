// Which definition of a text a code object was compiled from.
#pragma once

#include <string>

#include "interp/py_ref.h"

namespace kiln::gpu {

// The ast.FunctionDef or ast.Lambda in the text that compiles to this very code object: instructions, constants, names and
// places are equal. Null when there is none: then the text is not its source. Needs the GIL; runs Python; sets no exception.
// `isOnlyRead`: the caller does not change the node, which may be of a tree that is kept.
Ref<> findDefinition(PyCodeObject* code, const std::string& text, bool isOnlyRead = false);

// Of any node of Python's ast; 0 when it has no such attribute.
int numberOf(PyObject* node, const char* name);
Ref<> attributeOf(PyObject* object, const char* name);

}  // namespace kiln::gpu
