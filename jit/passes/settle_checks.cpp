#include "jit/passes/settle_checks.h"

#include <algorithm>

#include "jit/passes/difference_prover.h"
#include "jit/passes/passes.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;

bool isConditionGuard(const Instruction& in) {
    return (in.op == Op::k_guard_true || in.op == Op::k_guard_false) && in.snapshot != ir::kNoId;
}

bool settleChoices(ir::Region& region) {
    DifferenceProver prover(region);
    ValueReplacement replacement(region);
    bool changed = false;
    for (const BlockId block : prover.dominators().reversePostorder()) {
        const std::vector<Instruction>& instructions = region.blocks[block].instructions;
        for (size_t index = 0; index < instructions.size(); index++) {
            const Instruction& in = instructions[index];
            if (in.op != Op::k_int_select) {
                continue;
            }
            const bool isFirst = prover.isKnown(in.operands[0], true, {block, index});
            if (isFirst || prover.isKnown(in.operands[0], false, {block, index})) {
                replacement.replace(in.result, in.operands[isFirst ? 1 : 2]);
                prover.identify(in.result, in.operands[isFirst ? 1 : 2]);
                changed = true;
            }
        }
    }
    if (changed) {
        replacement.apply(region);
        for (ir::Block& block : region.blocks) {
            std::erase_if(block.instructions, [&](const Instruction& in) {
                return in.op == Op::k_int_select && replacement.replaced(in.result);
            });
        }
    }
    return changed;
}

// A guard that is taken away was known by others that came before it, some of which may be taken away too: the first to fail would
// have to be one of which all before have passed.
bool settleGuards(ir::Region& region) {
    DifferenceProver prover(region);
    std::vector<std::vector<bool>> settled(region.blocks.size());
    bool changed = false;
    for (const BlockId block : prover.dominators().reversePostorder()) {
        const std::vector<Instruction>& instructions = region.blocks[block].instructions;
        for (size_t index = 0; index < instructions.size(); index++) {
            const Instruction& in = instructions[index];
            settled[block].push_back(isConditionGuard(in) &&
                                     prover.isKnown(in.operands[0], in.op == Op::k_guard_true, {block, index}));
            changed = changed || settled[block].back();
        }
    }
    for (size_t block = 0; changed && block < region.blocks.size(); block++) {
        size_t index = 0;
        const std::vector<bool>& here = settled[block];
        std::erase_if(region.blocks[block].instructions,
                      [&](const Instruction&) { return index < here.size() && here[index++]; });
    }
    return changed;
}

}  // namespace

bool maySettleChecks(const ir::Region& region) {
    return std::ranges::any_of(region.blocks, [](const ir::Block& block) {
        return std::ranges::any_of(block.instructions, [](const Instruction& in) { return in.op == Op::k_int_below; });
    });
}

bool settleChecks(ir::Region& region) {
    const bool choices = settleChoices(region);
    return settleGuards(region) || choices;
}

}  // namespace kiln::passes
