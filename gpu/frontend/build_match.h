// `match`: patterns of values, of None and bools, of tuples, names, and alternatives of these.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

void buildMatch(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
