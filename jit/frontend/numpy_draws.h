// Calls that draw a number from a random generator: one of NumPy's, or of the module random.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// `callee` is bound, or a method that lies below its instance and the arguments. False where it is none of these, or only NumPy can do it.
bool drawNumber(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
// A class has it for this: it need be no method of C's, for the compiler that NumPy uses makes some by a class of its own.
bool isDrawMethod(PyObject* method);

}  // namespace kiln
