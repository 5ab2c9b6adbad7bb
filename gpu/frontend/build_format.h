// f-strings.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// A constant string where all of its parts are constants; else one that only print takes.
Value buildJoined(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
