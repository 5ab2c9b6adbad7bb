// Well-formed regions of the evaluator's ops, full of what the passes look for.
#pragma once

#include "jit/ir/region.h"

namespace kiln::test {

// The same seed gives the same region. Its arguments are int, int, bool, object, object.
ir::Region makeRandomRegion(uint64_t seed);

}  // namespace kiln::test
