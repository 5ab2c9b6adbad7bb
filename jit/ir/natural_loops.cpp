#include "jit/ir/natural_loops.h"

#include <utility>

namespace kiln::ir {

namespace {

using BlockLists = std::vector<std::vector<BlockId>>;

NaturalLoop makeLoop(BlockId header, std::vector<BlockId> waiting, const BlockLists& predecessors) {
    NaturalLoop loop = {.header = header, .blocks = {header}};
    std::vector<bool> inside(predecessors.size());
    inside[header] = true;
    while (!waiting.empty()) {
        const BlockId block = waiting.back();
        waiting.pop_back();
        if (!inside[block]) {
            inside[block] = true;
            loop.blocks.push_back(block);
            waiting.insert(waiting.end(), predecessors[block].begin(), predecessors[block].end());
        }
    }
    return loop;
}

}  // namespace

std::vector<NaturalLoop> findNaturalLoops(const Region& region, const Dominators& dominators) {
    BlockLists predecessors(region.blocks.size());
    BlockLists latches(region.blocks.size());  // by header
    for (const BlockId block : dominators.reversePostorder()) {
        for (const Target& target : region.blocks[block].targets) {
            predecessors[target.block].push_back(block);
            if (dominators.dominates(target.block, block)) {
                latches[target.block].push_back(block);
            }
        }
    }
    std::vector<NaturalLoop> loops;
    for (const BlockId header : dominators.reversePostorder()) {
        if (!latches[header].empty()) {
            loops.push_back(makeLoop(header, std::move(latches[header]), predecessors));
        }
    }
    return loops;
}

}  // namespace kiln::ir
