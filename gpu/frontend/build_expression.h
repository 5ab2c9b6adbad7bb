// Expressions. Those of a kind are built by its row of a table.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Evaluates an expression here. Poison after an error.
Value buildExpression(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
