// A block that is only jumped to from one other becomes the end of that one.
//
// The frontend begins blocks at each place where paths could meet; the passes that look at one block at a time see further then.
#include <algorithm>
#include <utility>

#include "jit/passes/counted_loops.h"
#include "jit/passes/kept_blocks.h"
#include "jit/passes/passes.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {

namespace {

using ir::Block;
using ir::BlockId;
using ir::Target;

std::vector<int> countPredecessors(const ir::Region& region) {
    std::vector<int> predecessors(region.blocks.size(), 0);
    predecessors[0] = 1;  // the way in
    for (const Block& block : region.blocks) {
        for (const Target& target : block.targets) {
            ++predecessors[target.block];
        }
    }
    return predecessors;
}

// Only compares ints, and branches: so does the header of a loop, which has one way in where the loop comes back into the midst of its
// body. Strips are formed of headers that do nothing else.
bool onlyCompares(const ir::Region& region, BlockId block) {
    const std::vector<ir::Instruction>& instructions = region.blocks[block].instructions;
    return comparisonOf(region, block) != nullptr && std::all_of(instructions.begin(), instructions.end() - 1, [](const ir::Instruction& in) {
        return ir::info(in.op).effect == ir::Effect::kPure;
    });
}

}  // namespace

bool mergeBlocks(ir::Region& region) {
    const std::vector<int> predecessors = countPredecessors(region);
    ValueReplacement replacement(region);
    std::vector<bool> kept(region.blocks.size(), true);
    for (size_t id = 0; id < region.blocks.size(); ++id) {
        Block& block = region.blocks[id];
        while (kept[id] && block.instructions.back().op == ir::Op::k_jump) {
            const Target target = block.targets[0];
            Block& next = region.blocks[target.block];
            if (predecessors[target.block] != 1 || &next == &block || next.cold != block.cold || onlyCompares(region, target.block)) {
                break;
            }
            for (size_t index = 0; index < target.arguments.size(); ++index) {
                replacement.replace(next.parameters[index], target.arguments[index]);
            }
            block.instructions.pop_back();
            block.instructions.insert(block.instructions.end(), std::make_move_iterator(next.instructions.begin()),
                                      std::make_move_iterator(next.instructions.end()));
            block.targets = std::exchange(next.targets, {});
            next.instructions.clear();
            kept[target.block] = false;
        }
    }
    if (!keepBlocks(region, kept)) {
        return false;
    }
    replacement.apply(region);
    return true;
}

}  // namespace kiln::passes
