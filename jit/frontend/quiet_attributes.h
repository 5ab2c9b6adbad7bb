// Attributes of objects of many classes, or of a class that regions do not follow, which CPython looks up without running Python code.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// By the classes that were recorded.
bool loadsQuietly(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
bool storesQuietly(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
// Do so where that is so, and are false elsewhere. `method`: with a NULL below, for a call.
bool loadQuietAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method);
bool storeQuietAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);

}  // namespace kiln
