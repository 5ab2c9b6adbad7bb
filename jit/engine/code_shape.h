// What the bytecode of a code object tells before any of it was recorded. Caches, specialisations and events make no difference: it comes
// out the same in each run.
#pragma once

#include <Python.h>

namespace kiln {

bool hasLoop(PyCodeObject* code);
// In a coroutine: a loop that is never left to be resumed. Whatever awaits has a yield beside it.
bool hasLoopWithoutYield(PyCodeObject* code);
// See CodeRecord::doesLittle.
bool doesLittle(PyCodeObject* code);

}  // namespace kiln
