// A whole function: its parameters, its body, its returns.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Builds the body for arguments of these types, behind what is captured by these names. False after an error.
bool buildFunction(FunctionBuilder& build, bool isKernel, const std::vector<Value>& arguments,
                   const std::vector<std::string>& captured = {});

}  // namespace kiln::gpu
