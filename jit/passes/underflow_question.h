// Whether NumPy ignores underflows.
#pragma once

#include "jit/ir/region.h"

namespace kiln::passes {

// That does not change before foreign code runs: where none does, one question serves all strips.
void askForUnderflowOnce(ir::Region& region);

}  // namespace kiln::passes
