// Statements, but for loops.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

void buildBody(FunctionBuilder& build, const std::vector<std::unique_ptr<Node>>& statements);

}  // namespace kiln::gpu
