// Arithmetic: BINARY_OP and the unary operators on numbers; anything else is CPython's.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The result of an operator (NB_ADD and so on) of two ints or bools, or of numbers of which one is a float. False where only CPython
// has one.
bool intArithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                   AbstractValue& result);
bool floatArithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                     AbstractValue& result);

}  // namespace kiln
