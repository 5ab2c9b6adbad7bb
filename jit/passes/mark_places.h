// Tells whoever samples where compiled code is: `at_place` stores a mark.
//
// A store for each change of line would cost a short loop a fifth of its time. So a mark stands for all that runs up to the next
// one, and the next one comes where enough work of other places has gathered: lines that take long have marks of their own, and
// those that do little share one, by the work that each does. A loop that does little has its mark in front of it. So has a
// strip, whatever it does: its lines are done at once.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

// Numbers of places, and which part of a mark's time is theirs; by number.
using PlaceShares = std::vector<std::pair<int32_t, int>>;
inline constexpr int kAllShares = 100;

struct PlaceMarking {
    std::vector<int32_t> numbers;  // by Instruction::place; equal for what need not be told apart, never 0
    int leastWork = 0;             // of other places, in simple operations, that gets a mark
    std::function<int64_t(const PlaceShares&)> markOf;  // what is stored
};

// Behind all other passes, on a region that nothing else works on.
void markPlaces(ir::Region& region, const PlaceMarking& marking);

}  // namespace kiln::passes
