// Cells: variables that closures share, and the functions that are made with them.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// What a function does before its RESUME: makes its own cells, with the arguments that are among them, and takes the cells
// of its closure, which lives as long as the function.
void enterCells(RegionBuilder& b, Id function);

}  // namespace kiln
