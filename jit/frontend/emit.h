// Emission: instructions, constants, snapshots, and the blocks that states meet in.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

ir::Type typeOfKind(Kind kind);
// A frame that waits, as jumps leave it: they have nothing more to do to it.
bool isSettled(const AbstractState& state, size_t frame);

}  // namespace kiln
