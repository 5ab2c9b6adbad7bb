// Operations of ints and bools whose operands are constants.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "jit/ir/region.h"

namespace kiln::passes {

bool isFoldable(ir::Op op);
// The result; none where an operand is no constant, or the operation would leave.
std::optional<int64_t> foldInts(ir::Op op, std::span<const std::optional<int64_t>> operands);
// Computes what is constant in the region, and removes what branches on it never reach. Returns whether there was such a branch.
bool foldBranches(ir::Region& region);

}  // namespace kiln::passes
