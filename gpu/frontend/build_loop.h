// Loops. The types at a loop's head are those before it, widened until its end agrees.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// A loop is built again when its end shows that a type at its head was assumed too narrow; what the first time left behind
// is taken back.
void buildWhile(FunctionBuilder& build, const Node& node);
void buildFor(FunctionBuilder& build, const Node& node);
// int64, or poison for what cannot be iterated over.
Value lengthOf(FunctionBuilder& build, const Value& iterable);
// max(0, (stop - start + step - sign(step)) // step), which is ceil((stop - start) / step) where that is positive.
Value rangeLength(FunctionBuilder& build, const Value& range);

}  // namespace kiln::gpu
