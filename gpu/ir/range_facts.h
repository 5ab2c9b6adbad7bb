// What the ranges of integers say of one instruction, where it stands.
#pragma once

#include <vector>

#include "gpu/ir/find_ranges.h"

namespace kiln::gpu {

// Of values that are no result of others: threadIdx and its kin. Launches are held to their limits on all devices.
Range rangeOfPlace(const Instruction& instruction, const LaunchLimits& limits);

// Of the counter of a `for`, in its passes.
Range rangeOfCounter(const Range& start, const Range& stop, const Range& step);

// Of a `select`. One that moves a value where it lies outside, `x < 0 ? x + d : x` or `x >= d ? x - d : x`, is taken apart.
Range rangeOfChoice(const Instruction& select, const std::vector<const Instruction*>& definitions, const std::vector<Range>& values);

// Whether an op of 64 bits is plain (see Operation::isPlain). `values`: ranges by ValueId, the result's among them.
bool isPlainOperation(const Instruction& instruction, const std::vector<Range>& values);

// Whether result and operands, which are integers or bools, fit 32 bits.
bool fitsInt32(const Instruction& instruction, const std::vector<Range>& values);

// Of a `mod` of int64s, whose dividend is at most its divisor and `more`.
NearRemainder nearRemainder(const Range& dividend, const Range& divisor, int64_t more);

}  // namespace kiln::gpu
