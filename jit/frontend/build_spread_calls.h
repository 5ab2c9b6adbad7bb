// What `*arguments` and `**keywords` of calls are collected in. The calls are the interpreter's.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Of positional arguments, made for the call.
bool listToTuple(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
