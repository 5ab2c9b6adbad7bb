// Which class an operation of NumPy scalars gives.
#pragma once

#include "jit/frontend/numpy_values.h"

namespace kiln {

// Of two NumPy classes, by NumPy's table.
Element promoted(Element left, Element right);
// Of two numbers, at least one of which is a NumPy scalar, by the rules of the NumPy at hand: from NumPy 2 on a Python number takes the
// other's class if that is of its kind (NEP 50), before it is an int64 or a float64.
Element promoted(const NumPyNumber& left, const NumPyNumber& right);

}  // namespace kiln
