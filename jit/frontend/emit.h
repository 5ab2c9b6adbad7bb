// Emission: instructions, constants, snapshots, and the blocks that states meet in.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

ir::Type typeOfKind(Kind kind);

}  // namespace kiln
