// Arithmetic: BINARY_OP and the unary operators on numbers; anything else is CPython's.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool intArithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                   AbstractValue& result);
bool floatArithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                     AbstractValue& result);

}  // namespace kiln
