// Attributes that are properties of the program's: getter and setter are inlined. Each is false where CPython must do it.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// LOAD_ATTR of the instance on top: a call without a CALL.
bool callProperty(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, PyObject* getter);
// STORE_ATTR: value and owner stay until the setter returns.
bool storeProperty(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, PyObject* setter);

}  // namespace kiln
