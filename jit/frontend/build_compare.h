// Comparisons, identity, containment and truth.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Truth of an object by CPython; `negate` for UNARY_NOT.
bool truthThroughHelper(RegionBuilder& b, const BytecodeInstruction& in, bool negate);
// `result`: a bool. `operation`: Py_LT and so on.
bool compareNumbers(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                    AbstractValue& result);

}  // namespace kiln
