// Statements. Those of a kind are built by its row of a table.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Statements in their order, as far as one can get.
void buildBody(FunctionBuilder& build, const std::vector<std::unique_ptr<Node>>& body);

}  // namespace kiln::gpu
