// Loops that never poll: a thread in one can't be interrupted, and when nothing else leaves it, it never ends.
#include <utility>

#include "jit/ir/region.h"

namespace kiln::ir {
namespace {

bool polls(const Block& block) {
    for (const Instruction& instruction : block.instructions) {
        if (instruction.op == Op::k_poll) {
            return true;
        }
    }
    return false;
}

}  // namespace

BlockId findLoopWithoutPoll(const Region& region) {
    enum class Visit : char { kNone, kOnPath, kDone };
    std::vector<Visit> visits(region.blocks.size(), Visit::kNone);
    std::vector<std::pair<BlockId, size_t>> path;  // block, next target to visit
    auto enter = [&](BlockId block) {
        // Paths end at blocks that poll: what lies behind them has a search of its own.
        bool ends = polls(region.blocks[block]);
        visits[block] = ends ? Visit::kDone : Visit::kOnPath;
        if (!ends) {
            path.emplace_back(block, 0);
        }
    };
    for (BlockId start = 0; start < static_cast<BlockId>(region.blocks.size()); start++) {
        if (visits[start] == Visit::kNone) {
            enter(start);
        }
        while (!path.empty()) {
            auto& [block, next] = path.back();
            const auto& targets = region.blocks[block].targets;
            if (next == targets.size()) {
                visits[block] = Visit::kDone;
                path.pop_back();
                continue;
            }
            const BlockId target = targets[next++].block;
            if (visits[target] == Visit::kOnPath) {
                return target;
            }
            if (visits[target] == Visit::kNone) {
                enter(target);
            }
        }
    }
    return kNoId;
}

}  // namespace kiln::ir
