// Operations of CPython that can't run Python code: no frame is made, no position stored, no assumption checked again.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void leafOperation(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, std::vector<Id> operands, int popped,
                   PyTypeObject* cls = nullptr);
void buildLeaf(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls);
bool callLeaf(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);

}  // namespace kiln
