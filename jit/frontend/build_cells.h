// Cells: variables that closures share, and the functions that are made with them.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void enterCells(RegionBuilder& b, Id function);

}  // namespace kiln
