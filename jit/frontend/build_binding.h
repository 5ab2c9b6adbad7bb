// Arguments of Python functions: bound to the parameters, as the interpreter binds them at a call.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Positional and keyword arguments and defaults in the order of the callee's locals; false when they don't fit.
bool bindArguments(RegionBuilder& b, const CalledFunction& called, int arguments, std::vector<AbstractValue>& bound);

}  // namespace kiln
