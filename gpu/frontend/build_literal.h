// Expressions of literals, which Python computes.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// The value of an expression of literals, computed by Python, as CPython's compiler does; null for another one. What would be
// much wider than 64 bits is left alone.
Ref<> literalValue(const Node& node);

}  // namespace kiln::gpu
