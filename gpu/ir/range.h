// What an integer can be: all from `low` to `high`.
#pragma once

#include <cstdint>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

struct Range {
    int64_t low = INT64_MIN;
    int64_t high = INT64_MAX;
    // False: only if nothing before it overflowed 64 bits. An index that did so names no element, whatever is made of it;
    // arithmetic in fewer bits needs to know.
    bool isSure = true;

    bool isOne() const { return low == high && isSure; }
    bool fits(int64_t least, int64_t most) const { return least <= low && high <= most; }
    bool operator==(const Range&) const = default;
};

// All values of an integer type, or of bool.
Range rangeOf(const Type* type);
Range unite(const Range& a, const Range& b);
// `a`, as far as it lies in `b`; `a` where it does not.
Range narrowTo(const Range& a, int64_t least, int64_t most);
// Of an op of one or two integer operands that computes in `type`. Everything of the type for an op that it does not know.
Range rangeOfResult(Op op, const Type* type, const Range& a, const Range& b);
Range rangeOfConversion(const Range& from, const Type* to);
// Of a comparison: whether it always holds, or never, or either.
Range rangeOfComparison(Op op, const Range& a, const Range& b);

}  // namespace kiln::gpu
