// Strips ask before they begin; a loop around them would ask in each of its rounds.
#include "jit/passes/underflow_question.h"

#include <vector>

#include "jit/passes/region_ops.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {
namespace {

using ir::Op;

}  // namespace

void askForUnderflowOnce(ir::Region& region) {
    if (has(region, Op::k_resume) || !has(region, Op::k_underflow_ignored)) {
        return;
    }
    const ir::ValueId answer = region.newValue(ir::Type::kBool);
    ValueReplacement replacement(region);
    for (ir::Block& block : region.blocks) {
        std::erase_if(block.instructions, [&](const ir::Instruction& in) {
            if (in.op == Op::k_underflow_ignored) {
                replacement.replace(in.result, answer);
            }
            return in.op == Op::k_underflow_ignored;
        });
    }
    replacement.apply(region);
    std::vector<ir::Instruction>& first = region.blocks[0].instructions;
    first.insert(first.begin(), {.op = Op::k_underflow_ignored, .type = ir::Type::kBool, .result = answer, .operands = {}});
}

}  // namespace kiln::passes
