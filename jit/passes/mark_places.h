// Tells whoever samples where compiled code is: an `at_place` wherever the place of what runs changes.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

// `numbers`: what is told, by Instruction::place; equal for what need not be told apart, never 0. Strips tell of nothing: before one
// the place of its loop's header is told. Behind all other passes, on a region that nothing else works on.
void markPlaces(ir::Region& region, const std::vector<int32_t>& numbers);

}  // namespace kiln::passes
