// Makes modules out of the embedded table: specs, and the loader that they name.
#pragma once

#include <Python.h>

#include <string_view>

#include "interp/embedded_packages.h"

// All functions need the GIL.
namespace kiln {

// Once, before the rest. False with an exception.
[[nodiscard]] bool setEmbeddedTable(const EmbeddedSource* table);
// Whether the table has a package of this name.
bool isEmbedded(std::string_view package);
// Whether the package in sys.modules is the embedded one. Runs no import.
bool isLoadedFromExecutable(std::string_view package);
// A ModuleSpec for an embedded module, None when the table has none of that name. New reference, or nullptr with an
// exception.
PyObject* makeEmbeddedSpec(PyObject* name);

}  // namespace kiln
