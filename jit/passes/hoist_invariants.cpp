// Loops inside come before those around, so that what was moved out of one may go on out of the next. Only what each whole round
// computes is moved: a loop of any round never does more than it did.
#include "jit/passes/hoist_invariants.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "jit/ir/dominators.h"
#include "jit/ir/natural_loops.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::NaturalLoop;
using ir::Op;

bool isPart(Op op) {
    return op == Op::k_array_data || op == Op::k_array_length || op == Op::k_array_stride;
}

// Computed from registers alone, and never at fault: a value that is only right where a guard has passed may be computed before it.
bool isMovable(Op op) {
    const ir::OpInfo& info = ir::info(op);
    const bool isConstant = info.operands[0] == '\0';
    const bool isOfInts = std::string_view(info.operands).find_first_not_of("ib") == std::string_view::npos &&
                          (info.result == 'i' || info.result == 'b');
    return info.effect == ir::Effect::kPure && (isConstant || isOfInts || isPart(op));
}

class InvariantHoister {
public:
    explicit InvariantHoister(ir::Region& region)
        : region_(region), dominators_(region), homes_(ir::homesOfValues(region)), inside_(region.blocks.size()) {}

    bool run() {
        const std::vector<NaturalLoop> loops = ir::findNaturalLoops(region_, dominators_);
        std::vector<BlockId> innermost(region_.blocks.size(), ir::kNoId);  // header of the loop that a block is in
        std::vector<BlockId> around(region_.blocks.size(), ir::kNoId);     // by header
        for (const NaturalLoop& loop : loops) {
            around[loop.header] = innermost[loop.header];
            for (const BlockId block : loop.blocks) {
                innermost[block] = loop.header;
            }
        }
        for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
            const BlockId before = dominators_.immediateDominator(loop->header);
            if (before != ir::kNoId && innermost[before] == around[loop->header]) {
                hoist(*loop, before);
            }
        }
        return changed_;
    }

private:
    void hoist(const NaturalLoop& loop, BlockId before) {
        for (const BlockId block : loop.blocks) {
            inside_[block] = true;
        }
        std::vector<Instruction> moved;
        for (const BlockId block : inOrder(loop)) {
            std::erase_if(region_.blocks[block].instructions, [&](Instruction& in) {
                const bool moves = isMovable(in.op) && std::ranges::none_of(in.operands, [&](ir::ValueId operand) {
                    return inside_[homes_[operand]];
                });
                if (moves) {
                    homes_[in.result] = before;
                    moved.push_back(std::move(in));
                }
                return moves;
            });
        }
        changed_ = changed_ || !moved.empty();
        std::vector<Instruction>& instructions = region_.blocks[before].instructions;
        instructions.insert(instructions.end() - 1, std::make_move_iterator(moved.begin()), std::make_move_iterator(moved.end()));
        for (const BlockId block : loop.blocks) {
            inside_[block] = false;
        }
    }

    // The blocks of each whole round, as it comes to them.
    std::vector<BlockId> inOrder(const NaturalLoop& loop) const {
        std::vector<BlockId> latches;
        std::ranges::copy_if(loop.blocks, std::back_inserter(latches), [&](BlockId block) {
            return std::ranges::find(region_.blocks[block].targets, loop.header, &ir::Target::block) !=
                   region_.blocks[block].targets.end();
        });
        std::vector<BlockId> blocks;
        for (BlockId block = latches.front(); block != ir::kNoId; block = dominators_.immediateDominator(block)) {
            if (std::ranges::all_of(latches, [&](BlockId latch) { return dominators_.dominates(block, latch); })) {
                blocks.push_back(block);
            }
            if (block == loop.header) {
                break;
            }
        }
        std::ranges::reverse(blocks);
        return blocks;
    }

    ir::Region& region_;
    const ir::Dominators dominators_;
    std::vector<BlockId> homes_;
    std::vector<bool> inside_;  // the loop at hand
    bool changed_ = false;
};

}  // namespace

bool hoistInvariants(ir::Region& region) {
    return InvariantHoister(region).run();
}

}  // namespace kiln::passes
