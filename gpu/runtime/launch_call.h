// What calls of kernels are made of: the launcher of a configuration, arguments by name, defaults.
#pragma once

#include <Python.h>

#include <vector>

namespace kiln::gpu {

// The launcher that the dict has for (grid, block, ...), where these are ints and tuples of ints: what equals them without being such is
// no configuration. nullptr where there is none; an exception is set when the search failed. A new reference.
PyObject* knownLauncher(PyObject* launchers, PyObject* configuration);

// Arguments that were given by name in their places, and defaults for those that were not given. False with a TypeError.
[[nodiscard]] bool completeArguments(PyObject* function, std::vector<PyObject*>& arguments, PyObject* const* named, PyObject* names);

}  // namespace kiln::gpu
