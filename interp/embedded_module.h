// The module _kiln: what kiln's Python packages ask the launcher.
//
// It is found like the embedded packages (embedded_packages.h) and is none of sys.builtin_module_names, which are
// python's. Higher folders add functions of their own, so that interp need not know them.
#pragma once

#include <Python.h>

namespace kiln {

inline constexpr const char* kEmbeddedModuleName = "_kiln";

// What the loader of embedded modules makes the module from. For ever.
PyModuleDef* embeddedModuleDefinition();

// Adds functions to _kiln. `methods` ends with a row of nulls and must live for ever. Before the first import of
// _kiln; at most kMaxMethodTables calls.
inline constexpr int kMaxMethodTables = 8;
void addEmbeddedFunctions(PyMethodDef* methods);

}  // namespace kiln
