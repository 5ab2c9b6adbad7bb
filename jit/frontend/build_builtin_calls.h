// Calls of CPython's own functions, methods and classes by the table builtin_calls.def.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The topmost entries are the arguments, an instance first; under them lies what is called.
bool callByTable(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);

}  // namespace kiln
