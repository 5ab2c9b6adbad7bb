#include "jit/passes/assumed_limits.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "jit/passes/counted_loops.h"
#include "jit/passes/fold_ints.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

constexpr int64_t kLargestLimit = 16;

class LimitFinder {
public:
    LimitFinder(const ir::Region& region, BlockId header) : region_(region), body_(blocksBackTo(region, header)) {
        for (const ir::Block& block : region.blocks) {
            for (const Instruction& in : block.instructions) {
                definitions_[in.result] = &in;
            }
        }
        for (const BlockId block : body_) {
            inside_.insert(region.blocks[block].parameters.begin(), region.blocks[block].parameters.end());
            std::ranges::for_each(region.blocks[block].instructions, [&](const Instruction& in) { inside_.insert(in.result); });
        }
        const ValueId own = comparisonOf(region, header)->operands[1];
        for (const BlockId block : body_) {
            const Instruction* comparison = comparisonOf(region, block);
            if (comparison != nullptr && comparison->op == Op::k_int_lt && comparison->operands[1] != own && comparison->immediate > 0 &&
                comparison->immediate <= kLargestLimit) {
                assume(comparison->operands[1], comparison->immediate);
            }
        }
    }

    Numbers take() { return std::move(found_); }

private:
    // Or a number that is one more or less than another.
    void assume(ValueId value, int64_t number) {
        const auto definition = definitions_.find(value);
        const Instruction* in = definition != definitions_.end() ? definition->second : nullptr;
        if (in != nullptr && in->op == Op::k_const_int) {
            return;
        }
        if (!inside_.contains(value)) {
            if (std::ranges::find(found_, value, &std::pair<ValueId, int64_t>::first) == found_.end()) {
                found_.emplace_back(value, number);
            }
        } else if (in != nullptr && (in->op == Op::k_int_add || in->op == Op::k_int_sub)) {
            const auto second = definitions_.find(in->operands[1]);
            if (second != definitions_.end() && second->second->op == Op::k_const_int) {
                const int64_t difference = second->second->immediate;
                assume(in->operands[0], in->op == Op::k_int_add ? number - difference : number + difference);
            }
        }
    }

    const ir::Region& region_;
    const std::set<BlockId> body_;
    std::unordered_map<ValueId, const Instruction*> definitions_;
    std::set<ValueId> inside_;
    Numbers found_;
};

}  // namespace

Numbers findAssumedLimits(const ir::Region& region, BlockId header) {
    return LimitFinder(region, header).take();
}

AssumedPaths::AssumedPaths(const ir::Region& region, const Numbers& numbers) : region_(region), into_(region.blocks.size()) {
    for (BlockId block = 0; block < static_cast<BlockId>(region.blocks.size()); block++) {
        for (size_t target = 0; target < region.blocks[block].targets.size(); target++) {
            into_[static_cast<size_t>(region.blocks[block].targets[target].block)].emplace_back(block, target);
        }
    }
    numbers_.insert(numbers.begin(), numbers.end());
    while (settle()) {
    }
}

bool AssumedPaths::settle() {
    bool hasChanged = false;
    const std::set<BlockId> reached = findReached();
    for (const BlockId block : reached) {
        hasChanged = settleParameters(block, reached) || hasChanged;
        hasChanged = settleInstructions(block) || hasChanged;
    }
    return hasChanged;
}

std::set<BlockId> AssumedPaths::findReached() const {
    std::set<BlockId> reached = {0};
    std::vector<BlockId> open = {0};
    while (!open.empty()) {
        const BlockId block = open.back();
        open.pop_back();
        const std::vector<ir::Target>& targets = region_.blocks[block].targets;
        for (size_t target = 0; target < targets.size(); target++) {
            if (isTaken(block, target) && reached.insert(targets[target].block).second) {
                open.push_back(targets[target].block);
            }
        }
    }
    return reached;
}

// A parameter that gets one number, on whichever edge that is taken.
bool AssumedPaths::settleParameters(BlockId block, const std::set<BlockId>& reached) {
    bool hasChanged = false;
    const std::vector<ValueId>& parameters = region_.blocks[block].parameters;
    for (size_t index = 0; index < parameters.size(); index++) {
        std::optional<int64_t> only;
        bool varies = false;
        for (const auto& [from, target] : into_[static_cast<size_t>(block)]) {
            if (reached.contains(from) && isTaken(from, target)) {
                const auto number = numbers_.find(region_.blocks[from].targets[target].arguments[index]);
                varies = varies || number == numbers_.end() || (only && *only != number->second);
                only = varies ? only : std::optional(number->second);
            }
        }
        hasChanged = (only && !varies && note(parameters[index], *only)) || hasChanged;
    }
    return hasChanged;
}

bool AssumedPaths::settleInstructions(BlockId block) {
    bool hasChanged = false;
    for (const Instruction& in : region_.blocks[block].instructions) {
        if (in.op == Op::k_const_int || in.op == Op::k_const_bool) {
            hasChanged = note(in.result, in.immediate) || hasChanged;
        } else if (isFoldable(in.op)) {
            std::vector<std::optional<int64_t>> operands;
            std::ranges::transform(in.operands, std::back_inserter(operands), [&](ValueId operand) {
                const auto number = numbers_.find(operand);
                return number != numbers_.end() ? std::optional(number->second) : std::nullopt;
            });
            const std::optional<int64_t> number = foldInts(in.op, operands);
            hasChanged = (number && note(in.result, *number)) || hasChanged;
        }
    }
    const Instruction& end = region_.blocks[block].instructions.back();
    const auto condition = end.op == Op::k_branch ? numbers_.find(end.operands[0]) : numbers_.end();
    return (condition != numbers_.end() && dead_.emplace(block, condition->second != 0 ? 1 : 0).second) || hasChanged;
}

}  // namespace kiln::passes
