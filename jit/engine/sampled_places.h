// What compiled code tells the sampler of its place.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/codegen_interface.h"
#include "jit/frontend/build_request.h"

namespace kiln {

// By ir::Instruction::place; needs the GIL.
std::vector<int32_t> numbersForSampler(const std::vector<SourcePlace>& places);
// Puts marks into a region from which code of a tier is made next. Any thread.
void markForSampler(ir::Region& region, const std::vector<int32_t>& numbers, Tier tier);

}  // namespace kiln
