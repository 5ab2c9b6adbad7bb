// Expressions. Those of a kind are built by its row of a table.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Evaluates an expression here. Poison after an error. An optional value is the value that it has.
Value buildExpression(FunctionBuilder& build, const Node& node);
// Likewise, but optional values stay such.
Value buildMaybe(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
