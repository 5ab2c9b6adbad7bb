// Elements of arrays that are read twice.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// `if a[i] > most: most = a[i]` reads once. True when the region has changed.
bool reuseElements(ir::Region& region);

}  // namespace kiln::passes
