// Looks from each header along the edge that a comparison which holds takes.
//
// Blocks are shared by states that are alike, so that a loop's body may be entered in its midst, and no header dominates it. What
// counts here is what can be reached from the header: a copy of that has one entry.
#include "jit/passes/counted_loops.h"

#include <algorithm>
#include <unordered_set>

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;

constexpr size_t kMostBlocks = 64;  // of a body: larger ones have other costs than their guards

bool isComparison(ir::Op op) {
    return op == ir::Op::k_int_lt || op == ir::Op::k_int_le || op == ir::Op::k_int_gt || op == ir::Op::k_int_ge || op == ir::Op::k_int_below;
}

class BodyFinder {
public:
    BodyFinder(const ir::Region& region, BlockId header)
        : region_(region), loop_{.header = header, .inside = region.blocks[header].targets[0], .body = {}} {}

    // False when it is none of the loops looked for.
    bool run() {
        const BlockId inside = loop_.inside.block;
        if (inside == loop_.header || !visit(inside)) {
            return false;
        }
        std::vector<bool>::reverse_iterator returns = returns_.rbegin();
        for (auto block = finished_.rbegin(); block != finished_.rend(); ++block, ++returns) {
            if (*returns) {
                loop_.body.push_back(*block);
            }
        }
        return !loop_.body.empty() && loop_.body.front() == inside && leavesWhereCold();
    }
    CountedLoop take() { return std::move(loop_); }

private:
    size_t indexOf(BlockId block) const { return static_cast<size_t>(std::ranges::find(finished_, block) - finished_.begin()); }

    // Depth first; a block is finished behind all that it leads to. False when there is a loop inside, or too much.
    bool visit(BlockId block) {
        if (std::ranges::find(path_, block) != path_.end() || finished_.size() + path_.size() > kMostBlocks) {
            return false;
        }
        if (indexOf(block) < finished_.size()) {
            return true;
        }
        path_.push_back(block);
        bool returns = false;
        for (const ir::Target& target : region_.blocks[block].targets) {
            if (target.block == loop_.header) {
                returns = true;
                continue;
            }
            if (leavesRegion(region_, target.block)) {
                continue;
            }
            if (!visit(target.block)) {
                return false;
            }
            returns = returns || returns_[indexOf(target.block)];
        }
        path_.pop_back();
        finished_.push_back(block);
        returns_.push_back(returns);
        return true;
    }

    // A way out of the loop into the rest of the region, a `break`, would be taken once for each time the loop runs.
    bool leavesWhereCold() const {
        return std::ranges::all_of(loop_.body, [&](BlockId block) {
            return std::ranges::all_of(region_.blocks[block].targets, [&](const ir::Target& target) {
                return target.block == loop_.header || loop_.contains(target.block) || leavesRegion(region_, target.block);
            });
        });
    }

    const ir::Region& region_;
    CountedLoop loop_;
    std::vector<BlockId> path_;
    std::vector<BlockId> finished_;
    std::vector<bool> returns_;  // by index in finished_: to the header
};

}  // namespace

bool CountedLoop::contains(ir::BlockId block) const {
    return std::ranges::find(body, block) != body.end();
}

bool leavesRegion(const ir::Region& region, BlockId block) {
    constexpr int kMostJumps = 4;
    for (int jumps = 0; jumps < kMostJumps; jumps++) {
        const Block& at = region.blocks[block];
        const ir::Op end = at.instructions.back().op;
        if (at.cold || end == ir::Op::k_exit) {
            return true;
        }
        if (end != ir::Op::k_jump) {
            return false;
        }
        block = at.targets[0].block;
    }
    return false;
}

std::set<BlockId> blocksBackTo(const ir::Region& region, BlockId header, const std::function<bool(BlockId, size_t)>& isTaken) {
    std::vector<std::vector<BlockId>> before(region.blocks.size());  // of what the way inside reaches
    std::set<BlockId> reached;
    std::vector<BlockId> open = {region.blocks[header].targets[0].block};
    while (!open.empty()) {
        const BlockId block = open.back();
        open.pop_back();
        if (block == header || !reached.insert(block).second) {
            continue;
        }
        const std::vector<ir::Target>& targets = region.blocks[block].targets;
        for (size_t target = 0; target < targets.size(); target++) {
            if (!isTaken || isTaken(block, target)) {
                before[targets[target].block].push_back(block);
                open.push_back(targets[target].block);
            }
        }
    }
    std::set<BlockId> body;
    open = before[header];
    while (!open.empty()) {
        const BlockId block = open.back();
        open.pop_back();
        if (body.insert(block).second) {
            open.insert(open.end(), before[block].begin(), before[block].end());
        }
    }
    return body;
}

const ir::Instruction* comparisonOf(const ir::Region& region, ir::BlockId header) {
    const Block& block = region.blocks[header];
    if (block.instructions.back().op != ir::Op::k_branch) {
        return nullptr;
    }
    const ir::ValueId condition = block.instructions.back().operands[0];
    const auto found = std::ranges::find(block.instructions, condition, &ir::Instruction::result);
    return found != block.instructions.end() && isComparison(found->op) ? &*found : nullptr;
}

std::vector<const ir::Instruction*> comparisonsOf(const ir::Region& region, ir::BlockId header) {
    const Block& block = region.blocks[header];
    std::vector<const ir::Instruction*> comparisons;
    std::vector<ir::ValueId> open;
    if (block.instructions.back().op == ir::Op::k_branch) {
        open.push_back(block.instructions.back().operands[0]);
    }
    while (!open.empty()) {
        const auto found = std::ranges::find(block.instructions, open.back(), &ir::Instruction::result);
        open.pop_back();
        if (found != block.instructions.end() && found->op == ir::Op::k_bool_and) {
            open.insert(open.end(), std::make_reverse_iterator(found->operands.end()), std::make_reverse_iterator(found->operands.begin()));
        } else if (found != block.instructions.end() && isComparison(found->op)) {
            comparisons.push_back(&*found);
        } else {
            return {};
        }
    }
    return comparisons;
}

bool usesRoundBefore(const ir::Region& region, const CountedLoop& loop) {
    std::unordered_set<ir::ValueId> later;
    for (const BlockId block : loop.body) {
        later.insert(region.blocks[block].parameters.begin(), region.blocks[block].parameters.end());
        for (const ir::Instruction& in : region.blocks[block].instructions) {
            later.insert(in.result);
        }
    }
    later.erase(ir::kNoId);
    auto isLater = [&](ir::ValueId value) { return later.contains(value); };
    std::vector<BlockId> blocks = {loop.header};
    blocks.insert(blocks.end(), loop.body.begin(), loop.body.end());
    for (const BlockId block : blocks) {
        std::ranges::for_each(region.blocks[block].parameters, [&](ir::ValueId value) { later.erase(value); });
        for (const ir::Instruction& in : region.blocks[block].instructions) {
            if (std::ranges::any_of(in.operands, isLater)) {
                return true;
            }
            later.erase(in.result);
        }
        for (const ir::Target& target : region.blocks[block].targets) {
            if (std::ranges::any_of(target.arguments, isLater)) {
                return true;
            }
        }
    }
    return false;
}

std::vector<CountedLoop> findCountedLoops(const ir::Region& region) {
    std::vector<CountedLoop> loops;
    for (BlockId header = 1; header < static_cast<BlockId>(region.blocks.size()); header++) {
        if (comparisonsOf(region, header).empty()) {
            continue;
        }
        BodyFinder finder(region, header);
        if (finder.run()) {
            loops.push_back(finder.take());
        }
    }
    return loops;
}

}  // namespace kiln::passes
