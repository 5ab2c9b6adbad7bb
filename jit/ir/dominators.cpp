// Dominators by Cooper, Harvey and Kennedy's iteration: regions are small and nearly reducible.
#include "jit/ir/dominators.h"

#include <algorithm>
#include <utility>

#include "jit/ir/grouped.h"

namespace kiln::ir {

Dominators::Dominators(const Region& region)
    : order_(region.blocks.size(), kNoId),
      parent_(region.blocks.size(), kNoId),
      first_(region.blocks.size(), kNoId),
      last_(region.blocks.size(), kNoId) {
    if (region.blocks.empty()) {
        return;
    }
    sequence_ = ir::reversePostorder(region);
    for (size_t i = 0; i < sequence_.size(); ++i) {
        order_[sequence_[i]] = static_cast<int32_t>(i);
    }
    findParents(region);
    numberTree();
}

std::vector<BlockId> reversePostorder(const Region& region) {
    std::vector<BlockId> sequence;
    if (region.blocks.empty()) {
        return sequence;
    }
    sequence.reserve(region.blocks.size());
    std::vector<bool> seen(region.blocks.size());
    std::vector<std::pair<BlockId, size_t>> path;  // block, next target to visit
    path.reserve(region.blocks.size());
    path.emplace_back(0, 0);
    seen[0] = true;
    while (!path.empty()) {
        auto& [block, next] = path.back();
        const auto& targets = region.blocks[block].targets;
        if (next == targets.size()) {
            sequence.push_back(block);
            path.pop_back();
            continue;
        }
        const BlockId target = targets[next++].block;
        if (!seen[target]) {
            seen[target] = true;
            path.emplace_back(target, 0);
        }
    }
    std::ranges::reverse(sequence);
    return sequence;
}

void Dominators::findParents(const Region& region) {
    const Grouped<BlockId> predecessors(region.blocks.size(), [&](const auto& add) {
        for (const BlockId block : sequence_) {
            for (const Target& target : region.blocks[block].targets) {
                add(static_cast<size_t>(target.block), block);
            }
        }
    });
    parent_[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < sequence_.size(); ++i) {
            const BlockId block = sequence_[i];
            BlockId common = kNoId;
            for (const BlockId predecessor : predecessors[block]) {
                if (parent_[predecessor] != kNoId) {
                    common = common == kNoId ? predecessor : commonDominator(common, predecessor);
                }
            }
            changed |= common != parent_[block];
            parent_[block] = common;
        }
    }
    parent_[0] = kNoId;
}

BlockId Dominators::commonDominator(BlockId a, BlockId b) const {
    while (a != b) {
        BlockId& later = order_[a] > order_[b] ? a : b;
        later = parent_[later];
    }
    return a;
}

void Dominators::numberTree() {
    // Sizes of the subtrees first, children before parents; then each child's range follows its elder siblings'.
    std::vector<int32_t> size(parent_.size(), 1);
    for (size_t i = sequence_.size(); i-- > 1;) {
        size[parent_[sequence_[i]]] += size[sequence_[i]];
    }
    std::vector<int32_t> nextFree(parent_.size(), 0);
    for (const BlockId block : sequence_) {
        const BlockId parent = parent_[block];
        first_[block] = parent == kNoId ? 0 : nextFree[parent];
        if (parent != kNoId) {
            nextFree[parent] += size[block];
        }
        nextFree[block] = first_[block] + 1;
        last_[block] = first_[block] + size[block] - 1;
    }
}

bool Dominators::dominates(BlockId a, BlockId b) const {
    return reachable(a) && reachable(b) && first_[a] <= first_[b] && first_[b] <= last_[a];
}

std::vector<BlockId> homesOfValues(const Region& region) {
    std::vector<BlockId> homes(region.valueTypes.size(), kNoId);
    for (size_t id = 0; id < region.blocks.size(); id++) {
        const auto block = static_cast<BlockId>(id);
        for (const ValueId parameter : region.blocks[id].parameters) {
            homes[parameter] = block;
        }
        for (const Instruction& in : region.blocks[id].instructions) {
            if (in.result != kNoId) {
                homes[in.result] = block;
            }
        }
    }
    return homes;
}

}  // namespace kiln::ir
