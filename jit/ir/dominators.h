// The dominator tree of a region's blocks.
#pragma once

#include <vector>

#include "jit/ir/region.h"

namespace kiln::ir {

// Reachable blocks, each after its dominators. Every target of the region must name one of its blocks.
std::vector<BlockId> reversePostorder(const Region& region);

class Dominators {
public:
    // Every target of the region must name one of its blocks.
    explicit Dominators(const Region& region);

    bool reachable(BlockId block) const { return order_[block] != kNoId; }
    // True when every path from the entry to `b` passes through `a`; a block dominates itself. False when either is
    // unreachable.
    bool dominates(BlockId a, BlockId b) const;
    // Reachable blocks, each after its dominators.
    const std::vector<BlockId>& reversePostorder() const { return sequence_; }
    // kNoId for the entry and for unreachable blocks.
    BlockId immediateDominator(BlockId block) const { return parent_[block]; }

private:
    void findParents(const Region& region);
    BlockId commonDominator(BlockId a, BlockId b) const;
    void numberTree();

    std::vector<BlockId> sequence_;
    std::vector<int32_t> order_;  // position in sequence_
    std::vector<BlockId> parent_;
    std::vector<int32_t> first_;  // preorder number in the dominator tree, and
    std::vector<int32_t> last_;   // the greatest one below
};

// The block that each value is defined in, by ValueId; kNoId where it is defined nowhere.
std::vector<BlockId> homesOfValues(const Region& region);

}  // namespace kiln::ir
