/* For this folder. */
#pragma once

#include <Python.h>

#include <cpython/code.h>

/* Events split superinstructions, of all of a code object's instructions: joins again those of which neither half has an event.
 * `units`: the code's own, or a copy. */
void kiln_join_superinstructions(PyCodeObject* code, _Py_CODEUNIT* units);
