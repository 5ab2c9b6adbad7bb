// Comparisons, identity, containment and truth.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool truthThroughHelper(RegionBuilder& b, const BytecodeInstruction& in, bool negate);
bool compareNumbers(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                    AbstractValue& result);

}  // namespace kiln
