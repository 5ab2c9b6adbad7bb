// From where to where each value of a region may be read, by its blocks in their order.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/ir/region.h"

namespace kiln {

// Places, all that lie between included. Parameters of a block begin at its start, results at their instruction, and what an
// instruction reads, its snapshot's values too, lasts for all of it. `last` is before `first` where nothing defines the value.
struct Lifetime {
    int32_t first = INT32_MAX;
    int32_t last = -1;
};

// By ValueId. Around loops and branches a value lives wherever a path leads to a place that reads it (Appel, Modern Compiler
// Implementation, chapter 10: iterated to the fixed point).
std::vector<Lifetime> lifetimesOf(const ir::Region& region);

}  // namespace kiln
