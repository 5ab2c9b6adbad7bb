// Arguments of Python functions: bound to the parameters, as the interpreter binds them at a call.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool bindArguments(RegionBuilder& b, const CalledFunction& called, int arguments, std::vector<AbstractValue>& bound);

}  // namespace kiln
