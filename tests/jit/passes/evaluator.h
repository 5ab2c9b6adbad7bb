// Runs a region of a few ops on made-up values, to compare what it does before and after the passes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::test {

// Objects are small numbers with a count each; bools and ints are numbers.
struct Inputs {
    std::vector<int64_t> arguments;
    int failingPoll = 0;  // the how-manieth safepoint or poll fails
};

// What an observer outside of the region sees: effects in order, how it was left, what the exit restores, and every
// object's count in the end. Runs that visit too many blocks are cut off, visibly.
std::string observe(const ir::Region& region, const Inputs& inputs);

inline constexpr int kObjectCount = 3;
inline constexpr int64_t kOverflow = 50;  // greater results make int_add fail

}  // namespace kiln::test
