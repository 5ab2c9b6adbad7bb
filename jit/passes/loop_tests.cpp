// A test of what its own block has counted, behind which control may come back: the body is entered in its midst then.
#include "jit/passes/loop_tests.h"

#include <algorithm>
#include <utility>

#include "jit/passes/counted_loops.h"

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;

bool counts(const Instruction& in) {
    return in.op == Op::k_int_add || in.op == Op::k_int_sub || in.op == Op::k_int_add_index || in.op == Op::k_int_add_wrap ||
           in.op == Op::k_int_sub_wrap;
}

// Where the comparison stands, if the block only goes on to it and the branch from there; else the block's size.
size_t testOf(const ir::Region& region, BlockId block) {
    const std::vector<Instruction>& instructions = region.blocks[block].instructions;
    const Instruction* comparison = comparisonOf(region, block);
    if (comparison == nullptr) {
        return instructions.size();
    }
    const auto place = static_cast<size_t>(comparison - instructions.data());
    const bool isCounted = std::any_of(instructions.begin(), instructions.begin() + static_cast<std::ptrdiff_t>(place), [&](const Instruction& in) {
        return in.result == comparison->operands[0] && counts(in);
    });
    const bool isPure = std::all_of(instructions.begin() + static_cast<std::ptrdiff_t>(place), instructions.end() - 1, [](const Instruction& in) {
        return ir::info(in.op).effect == ir::Effect::kPure;
    });
    return isCounted && isPure ? place : instructions.size();
}

}  // namespace

bool splitLoopTests(ir::Region& region) {
    bool changed = false;
    const auto blocks = static_cast<BlockId>(region.blocks.size());
    for (BlockId block = 1; block < blocks; block++) {
        const size_t place = testOf(region, block);
        if (place == region.blocks[block].instructions.size() || blocksBackTo(region, block).empty()) {
            continue;
        }
        const auto added = static_cast<BlockId>(region.blocks.size());
        region.blocks.emplace_back();
        Block& from = region.blocks[block];
        Block& test = region.blocks.back();
        test.cold = from.cold;
        test.instructions.assign(std::make_move_iterator(from.instructions.begin() + static_cast<std::ptrdiff_t>(place)),
                                 std::make_move_iterator(from.instructions.end()));
        from.instructions.resize(place);
        from.instructions.push_back({.op = Op::k_jump, .operands = {}});
        test.targets = std::exchange(from.targets, {{.block = added, .arguments = {}}});
        changed = true;
    }
    return changed;
}

}  // namespace kiln::passes
