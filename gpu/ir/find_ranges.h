// What the integers of a function can be, along its paths: conditions, loops and the limits of launches taken into account.
#pragma once

#include <vector>

#include "gpu/ir/range.h"

namespace kiln::gpu {

// A value is at most that of `limit` and `more`. Of values where they stand: in a loop, in the same pass.
struct RelativeBound {
    ValueId limit = kNoValue;  // none: nothing is known
    int64_t more = 0;
    bool operator==(const RelativeBound&) const = default;
};

// How the remainder of a division is had without one: the divisor is positive, and
struct NearRemainder {
    bool isNear = false;
    bool mayBeBelow = false;  // the dividend may be negative, but not below the negative divisor
    bool mayBeAbove = false;  // or the divisor at least, but less than twice of it
};

struct FoundRanges {
    std::vector<Range> values;  // by ValueId; everything, for what is no integer
    // Whether an op's result, and its operands where it stands, fit 32 bits, by ValueId of the result.
    std::vector<bool> fits;
    // Whether an op of 64 bits is plain where it stands (see Operation::isPlain), by ValueId of the result.
    std::vector<bool> isPlain;
    // Of a `wrap`, by its result: whether the index can be negative where it stands.
    std::vector<bool> wraps;
    std::vector<NearRemainder> remainders;  // of a `mod` of int64s, by its result
};

// What launches keep to: the limits of all, and of those that a kernel is compiled for.
struct LaunchLimits {
    int64_t blocks = INT32_MAX;       // along x
    int64_t arrayBytes = INT64_MAX;   // of an array argument's elements, were each dimension the only one, and all together
    bool areNarrow() const { return arrayBytes <= INT32_MAX; }
};

FoundRanges findRanges(const Function& function, const LaunchLimits& limits = {});

}  // namespace kiln::gpu
