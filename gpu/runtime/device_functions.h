// _kiln's functions about devices, streams and events.
#pragma once

#include <Python.h>

namespace kiln::gpu {

class Backend;

// The backend, or nullptr with an exception. GIL held.
Backend* required();
// Ends with a row of nulls; lives for ever.
PyMethodDef* deviceFunctions();
// ipc_functions.cpp: memory that processes share; likewise.
PyMethodDef* ipcFunctions();
// code_functions.cpp: code that programs compile, link and load themselves; likewise.
PyMethodDef* codeFunctions();

}  // namespace kiln::gpu
