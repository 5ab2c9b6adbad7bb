// A Python object that owns pinned memory of the host and gives it out through the buffer protocol.
#pragma once

#include <Python.h>

namespace kiln::gpu {

// PinnedMemory(bytes). New reference, or nullptr with an exception. Needs the GIL.
PyObject* pinnedMemoryType();

}  // namespace kiln::gpu
