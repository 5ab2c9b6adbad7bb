// Instances of the program's classes: calls of classes, and of __new__.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// A call of one of the program's classes: the instance is made without a call, or by __new__, which is inlined as __init__ is. False when it
// can't be built.
bool instantiate(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls, int arguments);
// object.__new__(cls) and tuple.__new__(cls, items) of a class of the program's. False when it is anything else.
bool callNew(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
// What __new__ gave, the top entry, is an instance of the class that is called, and of no class derived from it; or of no such class at all.
// False when that can't be told.
bool takeCreated(RegionBuilder& b);

}  // namespace kiln
