// What the integers of a function can be, along its paths: conditions, loops and the limits of launches taken into account.
#pragma once

#include <vector>

#include "gpu/ir/range.h"

namespace kiln::gpu {

struct FoundRanges {
    std::vector<Range> values;  // by ValueId; everything, for what is no integer
    // Whether an op's result, and its operands where it stands, fit 32 bits, by ValueId of the result.
    std::vector<bool> fits;
    // Whether an op of 64 bits is plain where it stands (see Operation::isPlain), by ValueId of the result.
    std::vector<bool> isPlain;
    // Of a `wrap`, by its result: whether the index can be negative where it stands.
    std::vector<bool> wraps;
};

FoundRanges findRanges(const Function& function);

}  // namespace kiln::gpu
