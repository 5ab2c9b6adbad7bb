// What runs at which place, and about how long it takes.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

// Instructions of one place, one after the other. After a call of compiled code begins another.
struct PlaceRun {
    int32_t number = 0;     // of the place; 0: not known
    int work = 0;           // in simple operations
    size_t first = 0;       // instruction
    bool isBehindCall = false;
};

// The runs of each block; `numbers` by Instruction::place.
std::vector<std::vector<PlaceRun>> findPlaceRuns(const ir::Region& region, const std::vector<int32_t>& numbers);

}  // namespace kiln::passes
