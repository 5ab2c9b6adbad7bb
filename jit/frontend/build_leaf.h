// Operations of CPython that can't run Python code: no frame is made, no position stored, no assumption checked again.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Pops the operands, pushes the result. An exception leaves the region.
void leafOperation(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, ir::Operands operands, int popped,
                   PyTypeObject* cls = nullptr);
// A container of the topmost entries.
void buildLeaf(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls);
// A C function by leaf_functions.def, of numbers. False for any other.
bool callLeaf(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
// The same of a C method, which lies below its instance.
bool callLeafMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method, int arguments);

}  // namespace kiln
