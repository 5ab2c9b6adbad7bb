// _kiln's functions about devices, streams and events.
#pragma once

#include <Python.h>

namespace kiln::gpu {

// Ends with a row of nulls; lives for ever.
PyMethodDef* deviceFunctions();
// ipc_functions.cpp: memory that processes share; likewise.
PyMethodDef* ipcFunctions();

}  // namespace kiln::gpu
