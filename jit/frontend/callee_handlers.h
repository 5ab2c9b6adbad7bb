// What builds calls of functions and classes of CPython's own: the rows of callees.def.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Builds a CALL of `callee`; the topmost entries are the arguments. False when it can't: nothing was emitted then that an exit
// before the instruction would not undo.
using CalleeHandler = bool (*)(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);

#define KILN_CALLEE(owner, name, least, most, handler) \
    bool handler(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
#include "jit/frontend/callees.def"
#undef KILN_CALLEE

}  // namespace kiln
