// `s += t` and `s = s + t` of a local string. As in CPython the string grows in place where nobody else has it: built piece by piece
// it would be copied each time.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The local's reference goes into the result. Until the STORE_FAST the local has none: nobody can look in between.
bool appendToLocal(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
