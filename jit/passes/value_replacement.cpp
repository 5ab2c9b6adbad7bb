// Rewrites the uses of replaced values.
#include "jit/passes/value_replacement.h"

namespace kiln::passes {

ir::ValueId ValueReplacement::find(ir::ValueId value) {
    while (replacements_[value] != ir::kNoId) {
        const ir::ValueId next = replacements_[value];
        if (replacements_[next] != ir::kNoId) {
            replacements_[value] = replacements_[next];  // halves the path for later calls
        }
        value = next;
    }
    return value;
}

void ValueReplacement::apply(ir::Region& region) {
    const auto update = [&](ir::ValueId& value) { value = find(value); };
    for (ir::Block& block : region.blocks) {
        for (ir::Instruction& instruction : block.instructions) {
            for (ir::ValueId& operand : instruction.operands) {
                update(operand);
            }
        }
        for (ir::Target& target : block.targets) {
            for (ir::ValueId& argument : target.arguments) {
                update(argument);
            }
        }
    }
    for (ir::FrameSnapshot& frame : region.frames) {
        ir::forEachFrameValue(frame, update);
    }
    for (ir::Snapshot& snapshot : region.snapshots) {
        for (ir::NameSource& name : snapshot.names) {
            ir::forEachValue(name.source, update);
        }
    }
}

}  // namespace kiln::passes
