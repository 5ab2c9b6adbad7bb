// Code of other languages, as the package numba passes it.
#pragma once

#include <Python.h>

#include <vector>

#include "gpu/ir/kernel_ir.h"
#include "interp/py_ref.h"

namespace kiln::gpu {

// Reads a tuple of (kind, name, bytes, None or the object with callbacks), and appends such objects that are not there yet to
// `watchers`. False with an exception. Needs the GIL.
[[nodiscard]] bool readLinkedCode(PyObject* list, std::vector<LinkedCode>& out, std::vector<Ref<>>& watchers);
void addWatcher(PyObject* watcher, std::vector<Ref<>>& out);
// Appends what is not there yet.
void addLinkedCode(LinkedCode code, std::vector<LinkedCode>& out);

}  // namespace kiln::gpu
