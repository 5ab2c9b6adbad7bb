// Entering a region: what it expects of the live frame, or of the arguments, is guarded and taken in.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The root is a loop of a live frame, or a function. The builder's state is empty before; then it is that of the entry.
void startLoop(RegionBuilder& b);
void startFunction(RegionBuilder& b);
// Guards that `object` is what `value` says and fills in the values. `object` stays with whoever holds it.
void enterObject(RegionBuilder& b, Id object, AbstractValue& value);

}  // namespace kiln
