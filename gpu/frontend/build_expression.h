// Expressions: names, constants, attributes, tuples, and those that choose.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value buildExpression(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
