// `a[i] = b[i] * 2 + c` in a loop over prange: an expression over arrays, computed element by element in the target's memory.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// An operator's expression, of which the target, a subscript, is to have the value. Scalars are computed and stored as anywhere.
void assignExpression(FunctionBuilder& build, const Node& target, const Node& expression);
// What is stored may lie in the memory that is stored to, but elsewhere: both are parts of what one name stands for.
// `isAlike`: they have as many axes.
bool mayOverlap(const Node& target, const Node& value, bool isAlike = true);

}  // namespace kiln::gpu
