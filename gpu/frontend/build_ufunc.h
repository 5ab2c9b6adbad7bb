// NumPy's functions of numbers, called with arrays.
#pragma once

#include <vector>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Whether the row is a ufunc of NumPy's, and some argument an array.
bool isElementwise(const Intrinsic& row, const std::vector<Value>& given);
// Such a call, element by element, into the array that is its last argument or out=. Poison after an error.
Value callElementwise(FunctionBuilder& build, const Node& node, const Intrinsic& row, const Value& callee, std::vector<Value> given);

}  // namespace kiln::gpu
