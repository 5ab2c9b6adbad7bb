// _kiln's functions about devices, streams and events.
#pragma once

#include <Python.h>

namespace kiln::gpu {

// Ends with a row of nulls; lives for ever.
PyMethodDef* deviceFunctions();

}  // namespace kiln::gpu
