// What perf is told of new machine code, as KILN_PERF asks: its name, or its code and lines too.
#pragma once

#include <vector>

#include "jit/codegen_interface.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {

// Of code that was made of the region. Needs the GIL.
void tellPerf(const CompiledRegion& region, const std::vector<CodeSymbol>& symbols);

}  // namespace kiln
