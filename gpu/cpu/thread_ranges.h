// Segments that some threads of a block alone do something in: `if threadIdx.x < 32: ...` between two barriers, `if i < n: ...` of
// a place in the grid.
#pragma once

#include <optional>
#include <vector>

#include "gpu/cpu/barrier_plan.h"

namespace kiln::gpu {

// The threads along x from `first` to before `end`, which is a constant, or a value that is the same for all threads of a block.
struct ThreadRange {
    int64_t first = 0;
    int64_t end = 0;
    ValueId endValue = kNoValue;        // then `end` does not count, and these are the ends:
    ValueId offset = kNoValue;          // how much less than that it is; such a value, too, or none
    const Instruction* test = nullptr;  // the `if` that tells it
    ValueId rest = kNoValue;  // what else its condition asks for: (place and rest), or of an exit (place or rest)
    bool isExit = false;      // the `if` has all other threads return
};

// Which threads do something in the segment, if that is told by one `if` without an else, beside which nothing has an effect. In a
// kernel without barriers also `if i >= n: return`, whatever comes behind it.
std::optional<ThreadRange> findThreadRange(const std::vector<const Instruction*>& segment, const BarrierPlan& plan);

}  // namespace kiln::gpu
