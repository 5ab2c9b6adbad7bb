// Methods of NumPy's arrays and scalars.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// A method is loaded of the top entry: of an array, its layout becomes known where its call will want it.
void knowMethodsArray(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
// Calls of item() and fill(); `method` lies below its instance and the arguments. False where it is another one, or only NumPy can do it.
bool callNumPyMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method, int arguments);

}  // namespace kiln
