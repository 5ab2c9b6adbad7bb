// Removes the counting of boxes that are never counted: constants, lent ones, and numbers that have not been objects yet; and of the
// references that they are.
//
// Where blocks meet, a box is counted if one that arrives there is: found optimistically, from the boxes that are.
#include <algorithm>

#include "jit/passes/passes.h"

namespace kiln::passes {

namespace {

using ir::Block;
using ir::Instruction;
using ir::Op;

bool givesUncounted(Op op) {
    return op == Op::k_const_no_box || op == Op::k_const_box || op == Op::k_lend_box || op == Op::k_bare_box || op == Op::k_const_unbound;
}

// The references that such boxes are: none.
std::vector<bool> findNone(const ir::Region& region, const std::vector<bool>& counted) {
    std::vector<bool> none(region.valueTypes.size());
    for (const Block& block : region.blocks) {
        for (const Instruction& in : block.instructions) {
            if (in.op == Op::k_counted) {
                none[in.result] = !counted[in.operands[0]];
            }
        }
    }
    return none;
}

// By value: may have a reference to count.
std::vector<bool> findCounted(const ir::Region& region) {
    std::vector<bool> counted(region.valueTypes.size());
    for (const ir::ValueId parameter : region.blocks[0].parameters) {
        counted[parameter] = true;
    }
    for (const Block& block : region.blocks) {
        for (const Instruction& in : block.instructions) {
            if (in.result != ir::kNoId) {
                counted[in.result] = !givesUncounted(in.op);
            }
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const Block& block : region.blocks) {
            for (const ir::Target& target : block.targets) {
                const std::vector<ir::ValueId>& parameters = region.blocks[target.block].parameters;
                for (size_t index = 0; index < parameters.size(); index++) {
                    if (counted[target.arguments[index]] && !counted[parameters[index]]) {
                        counted[parameters[index]] = changed = true;
                    }
                }
            }
        }
    }
    return counted;
}

}  // namespace

bool elideBoxCounts(ir::Region& region) {
    const std::vector<bool> counted = findCounted(region);
    const std::vector<bool> none = findNone(region, counted);
    size_t removed = 0;
    for (Block& block : region.blocks) {
        removed += std::erase_if(block.instructions, [&](const Instruction& in) {
            const bool counts = in.op == Op::k_incref_box || in.op == Op::k_decref_box;
            const bool givesUp = in.op == Op::k_guard_displaced || in.op == Op::k_xdecref;
            return (counts && !counted[in.operands[0]]) || (givesUp && none[in.operands[0]]);
        });
    }
    return removed != 0;
}

}  // namespace kiln::passes
