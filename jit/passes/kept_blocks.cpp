#include "jit/passes/kept_blocks.h"

#include <algorithm>
#include <utility>

namespace kiln::passes {

bool keepBlocks(ir::Region& region, const std::vector<bool>& kept) {
    if (std::ranges::all_of(kept, [](bool isKept) { return isKept; })) {
        return false;
    }
    std::vector<ir::BlockId> newIds(region.blocks.size(), ir::kNoId);
    std::vector<ir::Block> blocks;
    for (size_t id = 0; id < region.blocks.size(); ++id) {
        if (kept[id]) {
            newIds[id] = static_cast<ir::BlockId>(blocks.size());
            blocks.push_back(std::move(region.blocks[id]));
        }
    }
    region.blocks = std::move(blocks);
    for (ir::Block& block : region.blocks) {
        for (ir::Target& target : block.targets) {
            target.block = newIds[target.block];
        }
    }
    return true;
}

}  // namespace kiln::passes
