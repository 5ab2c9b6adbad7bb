// Where the answer is good, control passes by the guard:
//
//     block:  ... branch good ? next(index) : check
//     check:  the guard; next(the index, counted from the end where it is negative)
//     next(position): ...
//
// Where nothing can be asked before, the question is whether the index is a position as it is: few count from the end.
//
// A guard on whose way out others come first (sink_flag_guards.h) is a branch itself, to a cold block.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "jit/passes/difference_prover.h"
#include "jit/passes/settle_checks.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

// A guard of `0 <= position < length`.
struct Check {
    PlaceInRegion place;
    bool isBranch;
    ValueId position;
    ValueId index;  // the position, but where it is negative
    ValueId length;
    std::vector<Difference> missing;
};

class CheckAsker {
public:
    explicit CheckAsker(ir::Region& region) : region_(region), prover_(region), entries_(region.blocks.size()) {
        for (const ir::Block& block : region.blocks) {
            for (const ir::Target& target : block.targets) {
                entries_[target.block]++;
            }
        }
    }

    bool run() {
        for (const BlockId block : prover_.dominators().reversePostorder()) {
            for (size_t index = 0; !region_.blocks[block].cold && index < region_.blocks[block].instructions.size();
                 index++) {
                find({block, index});
            }
        }
        for (const Check& check : checks_) {
            answers_.push_back(answerOf(check.missing));
        }
        for (auto& [block, instructions] : asked_) {
            std::vector<Instruction>& at = region_.blocks[block].instructions;
            std::ranges::move(instructions, std::inserter(at, at.end() - 1));
        }
        const bool changed = !checks_.empty();
        while (!checks_.empty()) {  // from the last of a block on: those before it stay where they are
            passBy(checks_.back(), answers_.back());
            checks_.pop_back();
            answers_.pop_back();
        }
        return changed;
    }

private:
    void find(const PlaceInRegion& place) {
        const Instruction& in = region_.blocks[place.block].instructions[place.index];
        const bool isGuard = in.op == Op::k_guard_true && in.snapshot != ir::kNoId;
        const bool isBranch = in.op == Op::k_branch && leavesWhereFalse(region_.blocks[place.block]);
        const Instruction* below = isGuard || isBranch ? prover_.definitionOf(in.operands[0]) : nullptr;
        if (below == nullptr || below->op != Op::k_int_below) {
            return;
        }
        Check check = {place, isBranch, below->operands[0], below->operands[0], below->operands[1], {}};
        if (const Instruction* choice = prover_.definitionOf(check.position); choice != nullptr && isFromEnd(*choice)) {
            check.index = choice->operands[2];
        }
        const bool isKnown = prover_.holdsIf({kZero, check.index, 0}, place, check.missing) &&
                             prover_.holdsIf({check.index, check.length, -1}, place, check.missing);
        if (!isKnown) {
            check.missing.clear();
        }
        std::ranges::sort(check.missing);
        check.missing.erase(std::ranges::unique(check.missing).begin(), check.missing.end());
        if (!check.missing.empty() || (!isKnown && check.index != check.position && prover_.isInLoop(place.block))) {
            checks_.push_back(std::move(check));
        }
    }

    bool leavesWhereFalse(const ir::Block& block) const {
        const BlockId next = block.targets[0].block;
        return region_.blocks[block.targets[1].block].cold && region_.blocks[next].parameters.empty() &&
               entries_[next] == 1;
    }

    // An index that counts from the end where it is negative.
    bool isFromEnd(const Instruction& in) const {
        const Instruction* condition = in.op == Op::k_int_select ? prover_.definitionOf(in.operands[0]) : nullptr;
        const Instruction* zero = condition != nullptr && condition->op == Op::k_int_lt
                                      ? prover_.definitionOf(condition->operands[1])
                                      : nullptr;
        return zero != nullptr && zero->op == Op::k_const_int && zero->immediate == 0 &&
               condition->operands[0] == in.operands[2];
    }

    // Whether all of it is so: known at the end of the block behind which the last of the values is there.
    // kNoId where nothing is asked.
    ValueId answerOf(const std::vector<Difference>& missing) {
        if (missing.empty()) {
            return ir::kNoId;
        }
        const auto [known, isNew] = known_.try_emplace(missing, ir::kNoId);
        if (isNew) {
            BlockId block = 0;
            for (const Difference& difference : missing) {
                block = lastOf(block, difference);
            }
            ValueId good = ir::kNoId;
            for (const Difference& difference : missing) {
                const ValueId more = ask(block, difference);
                good = good == ir::kNoId ? more : compute(block, Op::k_bool_and, {good, more});
            }
            known->second = good;
        }
        return known->second;
    }

    BlockId lastOf(BlockId block, const Difference& difference) const {
        for (const ValueId value : {difference.low, difference.high}) {
            const BlockId home = value != kZero ? prover_.placeBehind(value).block : 0;
            block = prover_.dominators().dominates(block, home) ? home : block;
        }
        return block;
    }

    ValueId ask(BlockId block, const Difference& difference) {
        const ValueId low = valueOf(block, difference.low);
        const ValueId high = valueOf(block, difference.high);
        if (difference.distance == 0 || difference.distance == -1) {
            return compute(block, difference.distance == 0 ? Op::k_int_le : Op::k_int_lt, {low, high});
        }
        // Neither side of it is near the end of the numbers where the sum is taken.
        const ValueId sum = compute(block, Op::k_int_add_wrap, {high, constant(block, difference.distance)});
        const ValueId isSum = compute(block, difference.distance > 0 ? Op::k_int_gt : Op::k_int_lt, {sum, high});
        return compute(block, Op::k_bool_and, {isSum, compute(block, Op::k_int_le, {low, sum})});
    }

    ValueId valueOf(BlockId block, ValueId value) { return value != kZero ? value : constant(block, 0); }
    ValueId constant(BlockId block, int64_t number) { return compute(block, Op::k_const_int, {}, number); }
    ValueId compute(BlockId block, Op op, ir::Operands operands, int64_t immediate = 0) {
        const ir::Type type = ir::typeOfLetter(ir::info(op).result);
        const ValueId result = region_.newValue(type);
        asked_[block].push_back(
            {.op = op, .type = type, .result = result, .immediate = immediate, .operands = std::move(operands)});
        return result;
    }

    void passBy(const Check& check, ValueId good) {
        const BlockId cold = addCold();
        const BlockId next =
            check.isBranch ? region_.blocks[check.place.block].targets[0].block : splitBehind(check.place, cold);
        ir::Block& block = region_.blocks[check.place.block];
        if (check.isBranch) {
            region_.blocks[cold].instructions.push_back(block.instructions.back());
            region_.blocks[cold].targets = block.targets;
            block.instructions.pop_back();
        }
        if (good == ir::kNoId) {
            good = region_.newValue(ir::Type::kBool);
            block.instructions.push_back({.op = Op::k_int_below,
                                          .type = ir::Type::kBool,
                                          .result = good,
                                          .operands = {check.index, check.length}});
        }
        block.instructions.push_back({.op = Op::k_branch, .operands = {good}});
        block.targets = {{.block = next, .arguments = {}}, {.block = cold, .arguments = {}}};
        if (check.position != check.index && isUsedBehindOnly(check)) {
            givePosition(check, next, cold);
        }
    }

    BlockId addCold() {
        region_.blocks.emplace_back().cold = true;
        return static_cast<BlockId>(region_.blocks.size()) - 1;
    }

    // What is behind the guard becomes a block of its own, and the guard goes into the cold one.
    BlockId splitBehind(const PlaceInRegion& place, BlockId cold) {
        region_.blocks.emplace_back();
        const auto next = static_cast<BlockId>(region_.blocks.size()) - 1;
        ir::Block& block = region_.blocks[place.block];
        ir::Block& behind = region_.blocks[next];
        const auto guard = block.instructions.begin() + static_cast<std::ptrdiff_t>(place.index);
        behind.instructions.assign(std::make_move_iterator(guard + 1),
                                   std::make_move_iterator(block.instructions.end()));
        behind.targets = std::exchange(block.targets, {});
        behind.cold = block.cold;
        region_.blocks[cold].instructions.push_back(std::move(*guard));
        region_.blocks[cold].instructions.push_back({.op = Op::k_jump, .operands = {}});
        region_.blocks[cold].targets.push_back({.block = next, .arguments = {}});
        block.instructions.erase(guard, block.instructions.end());
        return next;
    }

    // The position is defined in this part of the block, where nothing but the guard's condition has it.
    bool isUsedBehindOnly(const Check& check) const {
        const std::vector<Instruction>& instructions = region_.blocks[check.place.block].instructions;
        const auto definition = std::ranges::find(instructions, check.position, &Instruction::result);
        auto uses = [&](const Instruction& in) {
            return std::ranges::find(in.operands, check.position) != in.operands.end();
        };
        bool isInSnapshot = false;
        for (const ir::Snapshot& snapshot : region_.snapshots) {
            ir::forEachSnapshotValue(region_, snapshot,
                                     [&](ValueId value) { isInSnapshot = isInSnapshot || value == check.position; });
        }
        return definition != instructions.end() && !isInSnapshot &&
               std::count_if(definition, instructions.end(), uses) == 1;
    }

    void givePosition(const Check& check, BlockId next, BlockId cold) {
        const ValueId position = region_.newValue(ir::Type::kInt);
        ValueReplacement replacement(region_);
        replacement.replace(check.position, position);
        replacement.apply(region_);
        const ValueId condition = region_.blocks[cold].instructions[0].operands[0];
        std::vector<Instruction>& instructions = region_.blocks[check.place.block].instructions;
        std::ranges::find(instructions, condition, &Instruction::result)->operands[0] = check.position;
        region_.blocks[next].parameters = {position};
        region_.blocks[cold].targets[0].arguments = {check.position};
        region_.blocks[check.place.block].targets[0].arguments = {check.index};
    }

    ir::Region& region_;
    DifferenceProver prover_;
    std::vector<int> entries_;  // by block: edges into it
    std::vector<Check> checks_;
    std::vector<ValueId> answers_;
    std::map<std::vector<Difference>, ValueId> known_;
    std::map<BlockId, std::vector<Instruction>> asked_;  // at the end of the block
};

}  // namespace

bool askChecksBefore(ir::Region& region) {
    return CheckAsker(region).run();
}

}  // namespace kiln::passes
