// Calls of functions and classes of CPython's own that are built natively: see callees.def.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// True for `sum(x, start=y)` and the like: the one keyword names the second parameter.
bool keywordsArePositional(RegionBuilder& b, PyObject* callee, int arguments);
// What it does depends on the frame that calls it: it is left to the interpreter.
bool looksAtCaller(PyObject* callee);
// A C function, or a class. False when no row of callees.def fits.
bool callBuiltin(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
// The same of a class.
bool callClass(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
// A helper that may fail and raises nothing: the guard behind it leaves before the instruction, and CPython repeats it.
Id fallibleInt(RegionBuilder& b, Helper helper, ir::Operands operands, ExitReason reason);
Id fallibleFloat(RegionBuilder& b, Helper helper, ir::Operands operands, ExitReason reason);

}  // namespace kiln
