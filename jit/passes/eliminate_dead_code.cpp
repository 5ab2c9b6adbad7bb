// Removes what no effect of the region depends on: blocks, parameters, Pure and Read ops, contents of snapshots.
//
// Block arguments are no uses by themselves: a value that only circulates through parameters nobody reads is dead.
#include <utility>

#include "jit/ir/dominators.h"
#include "jit/passes/kept_blocks.h"
#include "jit/passes/passes.h"
#include "jit/passes/redundant_parameters.h"

namespace kiln::passes {

namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Target;
using ir::ValueId;

bool isRemovable(const Instruction& instruction) {
    const ir::Effect effect = ir::info(instruction.op).effect;
    return effect == ir::Effect::kPure || effect == ir::Effect::kRead;
}

bool removeUnreachableBlocks(ir::Region& region) {
    std::vector<bool> kept(region.blocks.size());
    for (const BlockId block : ir::reversePostorder(region)) {
        kept[block] = true;
    }
    return keepBlocks(region, kept);
}

// Which values some effect depends on.
class Liveness {
public:
    explicit Liveness(const ir::Region& region)
        : region_(region),
          incoming_(findIncoming(region)),
          live_(region.valueTypes.size()),
          markedFrames_(region.frames.size()),
          definitions_(region.valueTypes.size()) {
        collectDefinitions();
        for (const Block& block : region.blocks) {
            for (const Instruction& instruction : block.instructions) {
                if (!isRemovable(instruction)) {
                    markUses(instruction);
                }
            }
        }
        propagate();
    }

    bool live(ValueId value) const { return live_[value]; }

private:
    struct Definition {
        const Instruction* instruction = nullptr;  // else a parameter:
        BlockId block = ir::kNoId;
        size_t index = 0;
    };

    void collectDefinitions() {
        for (size_t id = 0; id < region_.blocks.size(); ++id) {
            const Block& block = region_.blocks[id];
            for (size_t i = 0; i < block.parameters.size(); ++i) {
                definitions_[block.parameters[i]] = {nullptr, static_cast<BlockId>(id), i};
            }
            for (const Instruction& instruction : block.instructions) {
                if (instruction.result != ir::kNoId) {
                    definitions_[instruction.result].instruction = &instruction;
                }
            }
        }
    }

    void mark(ValueId value) {
        if (!live_[value]) {
            live_[value] = true;
            pending_.push_back(value);
        }
    }

    void markUses(const Instruction& instruction) {
        for (const ValueId operand : instruction.operands) {
            mark(operand);
        }
        if (instruction.snapshot != ir::kNoId) {
            markSnapshot(region_.snapshots[instruction.snapshot]);
        }
    }

    void markSnapshot(const ir::Snapshot& snapshot) {
        for (const ir::FrameId frame : snapshot.frames) {
            if (!markedFrames_[static_cast<size_t>(frame)]) {
                markedFrames_[static_cast<size_t>(frame)] = true;
                ir::forEachFrameValue(region_.frames[static_cast<size_t>(frame)], [&](ValueId value) { mark(value); });
            }
        }
        for (const ir::NameSource& name : snapshot.names) {
            ir::forEachValue(name.source, [&](ValueId value) { mark(value); });
        }
    }

    void propagate() {
        while (!pending_.empty()) {
            const Definition& definition = definitions_[pending_.back()];
            pending_.pop_back();
            if (definition.instruction != nullptr) {
                markUses(*definition.instruction);
            } else {
                for (const Target* target : incoming_[definition.block]) {
                    mark(target->arguments[definition.index]);
                }
            }
        }
    }

    const ir::Region& region_;
    ir::Grouped<const Target*> incoming_;
    std::vector<bool> live_;
    std::vector<bool> markedFrames_;
    std::vector<Definition> definitions_;
    std::vector<ValueId> pending_;
};

bool removeUnusedValues(ir::Region& region) {
    const Liveness liveness(region);
    std::vector<bool> unused(region.valueTypes.size());
    for (size_t id = 1; id < region.blocks.size(); ++id) {  // the entry's are the region's arguments
        for (const ValueId parameter : region.blocks[id].parameters) {
            unused[parameter] = !liveness.live(parameter);
        }
    }
    bool changed = eraseParameters(region, unused);
    for (Block& block : region.blocks) {
        changed |= std::erase_if(block.instructions, [&](const Instruction& instruction) {
                       return isRemovable(instruction) && !liveness.live(instruction.result);
                   }) != 0;
    }
    return changed;
}

// Empties snapshots nobody uses. Their ids stay: whoever made the region keeps tables by snapshot.
bool clearUnusedSnapshots(ir::Region& region) {
    std::vector<bool> used(region.snapshots.size());
    for (const Block& block : region.blocks) {
        for (const Instruction& instruction : block.instructions) {
            if (instruction.snapshot != ir::kNoId) {
                used[instruction.snapshot] = true;
            }
        }
    }
    bool changed = false;
    for (size_t id = 0; id < used.size(); ++id) {
        ir::Snapshot& snapshot = region.snapshots[id];
        if (!used[id] && !(snapshot.frames.empty() && snapshot.names.empty())) {
            snapshot.frames.clear();
            snapshot.names.clear();
            changed = true;
        }
    }
    return changed;
}

}  // namespace

bool eliminateDeadCode(ir::Region& region) {
    bool changed = removeUnreachableBlocks(region);
    changed |= removeRedundantParameters(region);
    changed |= removeUnusedValues(region);
    changed |= clearUnusedSnapshots(region);
    return changed;
}

}  // namespace kiln::passes
