// A block gets a copy for each set of constants that those of its parameters have which decide where control goes, and for each copy of
// the block that dominates it: so what dominates a copy is one copy of each block, and what a value is there is known.
//
// The copy has no loop. Where control comes back to a block with the same constants, the rounds are not known.
#include "jit/passes/unrolled_loops.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "jit/ir/cycles.h"
#include "jit/ir/dominators.h"
#include "jit/passes/assumed_limits.h"
#include "jit/passes/carried_values.h"
#include "jit/passes/fold_ints.h"

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::Target;
using ir::ValueId;

constexpr size_t kMostInstructions = 1280;
constexpr size_t kMostCopies = 320;
constexpr int kOutside = -1;

class Unroller {
public:
    Unroller(ir::Region& region, BlockId header)
        : region_(region), header_(header), dominators_(region), homes_(ir::homesOfValues(region)),
          blocksBefore_(region.blocks.size()), valuesBefore_(region.valueTypes.size()) {}

    bool run(bool assumes, UnrolledLoop& unrolled) {
        const Numbers assumed = assumes ? findAssumedLimits(region_, header_) : Numbers();
        const AssumedPaths paths(region_, assumed);
        body_ = blocksBackTo(region_, header_, [&](BlockId block, size_t target) { return paths.isTaken(block, target); });
        findConstants();
        constants_.insert(paths.numbers().begin(), paths.numbers().end());
        findControls();
        carried_ = findCarriedValues(region_, dominators_, header_, body_);
        for (CarriedValue& carried : carried_) {
            carried.parameter = region_.newValue(region_.valueTypes[carried.value]);
        }
        const Target inside = region_.blocks[header_].targets[0];
        Target entry = body_.contains(inside.block) ? copyTarget(inside, kOutside) : Target();
        if (hasFailed_ || entry.block == ir::kNoId || !hasRounds_ || !isWorthIt() || !carryValues(region_, dominators_, header_, carried_)) {
            region_.blocks.resize(blocksBefore_);
            region_.valueTypes.resize(valuesBefore_);
            return false;
        }
        mergeBlocks(entry);
        unrolled = {.loop = {.header = header_, .inside = std::move(entry), .body = std::move(order_)}, .original = {body_.begin(), body_.end()}, .assumed = assumed};
        return true;
    }

private:
    struct Copy {
        BlockId original;
        int dominator;  // the copy of the block's immediate dominator; kOutside where that is none of the body, or before this round
        BlockId block;
        std::vector<std::optional<int64_t>> constants;  // of its parameters
        bool isFinished = false;
        std::unordered_map<ValueId, ValueId> values = {};
    };
    using Key = std::tuple<BlockId, int, std::vector<std::optional<int64_t>>>;

    void findConstants() {
        for (BlockId block = 0; block < static_cast<BlockId>(blocksBefore_); block++) {
            for (const Instruction& in : region_.blocks[block].instructions) {
                definitions_[in.result] = &in;
                noteConstant(in);
            }
        }
    }

    void noteConstant(const Instruction& in) {
        if (in.op == Op::k_const_int || in.op == Op::k_const_bool) {
            constants_[in.result] = in.immediate;
        }
    }

    // What decides where control goes, as far as it can be computed of constants.
    void findControls() {
        for (const BlockId block : body_) {
            const Instruction& end = region_.blocks[block].instructions.back();
            if (end.op == Op::k_branch) {
                addControl(end.operands[0]);
            }
        }
    }

    void addControl(ValueId value) {
        if (!body_.contains(homes_[value]) || !controls_.insert(value).second) {
            return;
        }
        if (const auto found = definitions_.find(value); found != definitions_.end()) {
            if (isFoldable(found->second->op)) {
                std::ranges::for_each(found->second->operands, [&](ValueId operand) { addControl(operand); });
            }
            return;
        }
        const std::vector<ValueId>& parameters = region_.blocks[homes_[value]].parameters;
        const auto index = static_cast<size_t>(std::ranges::find(parameters, value) - parameters.begin());
        for (const BlockId block : body_) {
            for (const Target& target : region_.blocks[block].targets) {
                if (target.block == homes_[value]) {
                    addControl(target.arguments[index]);
                }
            }
        }
    }

    int find(BlockId original, int copy) const {
        while (copy != kOutside && copies_[copy].original != original) {
            copy = copies_[copy].dominator;
        }
        return copy;
    }

    // What stands for a value of the region at this copy.
    ValueId of(ValueId value, int copy) const {
        if (const int home = find(homes_[value], copy); home != kOutside) {
            return copies_[home].values.at(value);
        }
        const auto carried = std::ranges::find(carried_, value, &CarriedValue::value);
        return carried != carried_.end() ? carried->parameter : value;
    }

    std::optional<int64_t> constantOf(ValueId value) const {
        const auto found = constants_.find(value);
        return found != constants_.end() ? std::optional(found->second) : std::nullopt;
    }

    Target copyTarget(const Target& target, int from) {
        Target copied = {.block = target.block, .arguments = {}};
        for (const ValueId argument : target.arguments) {
            copied.arguments.push_back(of(argument, from));
        }
        if (target.block == header_) {
            hasRounds_ = true;
            for (const CarriedValue& carried : carried_) {
                copied.arguments.push_back(of(carried.value, from));
            }
        } else if (body_.contains(target.block)) {
            enter(copied, from);
        } else if (!leavesRegion(region_, target.block)) {
            hasFailed_ = true;
        }
        return copied;
    }

    // Leads the target to the copy that is for its arguments.
    void enter(Target& target, int from) {
        const int dominator = find(dominators_.immediateDominator(target.block), from);
        const std::vector<ValueId>& parameters = region_.blocks[target.block].parameters;
        std::vector<std::optional<int64_t>> constants;
        for (size_t index = 0; index < parameters.size(); index++) {
            constants.push_back(controls_.contains(parameters[index]) ? constantOf(target.arguments[index]) : std::nullopt);
        }
        const auto [found, isNew] = known_.try_emplace(Key(target.block, dominator, constants), static_cast<int>(copies_.size()));
        const int copy = found->second;
        if (isNew) {
            region_.blocks.emplace_back();
            copies_.push_back({.original = target.block, .dominator = dominator, .block = static_cast<BlockId>(region_.blocks.size()) - 1,
                               .constants = constants});
            hasFailed_ = hasFailed_ || copies_.size() > kMostCopies || written_ > kMostInstructions;
        } else if (!copies_[copy].isFinished) {
            hasFailed_ = true;  // it comes round
        }
        target.block = copies_[copy].block;
        size_t kept = 0;
        for (size_t index = 0; index < constants.size(); index++) {
            if (!constants[index]) {
                target.arguments[kept++] = target.arguments[index];
            }
        }
        target.arguments.resize(kept);
        if (isNew && !hasFailed_) {
            write(copy);
        }
    }

    void write(int copy) {
        const BlockId original = copies_[copy].original;
        const BlockId block = copies_[copy].block;
        for (size_t index = 0; index < region_.blocks[original].parameters.size(); index++) {
            const ValueId parameter = region_.blocks[original].parameters[index];
            const ValueId own = region_.newValue(region_.valueTypes[parameter]);
            copies_[copy].values[parameter] = own;
            if (copies_[copy].constants[index]) {
                writeConstant(block, own, *copies_[copy].constants[index]);
            } else {
                region_.blocks[block].parameters.push_back(own);
            }
        }
        const std::vector<Instruction> instructions = region_.blocks[original].instructions;
        for (const Instruction& in : instructions) {
            write(in, copy);
        }
        std::vector<Target> targets = region_.blocks[original].targets;
        if (targets.size() == 2) {
            if (const std::optional<int64_t> condition = constantOf(of(instructions.back().operands[0], copy))) {
                targets = {targets[*condition != 0 ? 0 : 1]};
                region_.blocks[block].instructions.back() = {.op = Op::k_jump, .operands = {}};
            }
        }
        for (const Target& target : targets) {
            if (!hasFailed_) {
                Target copied = copyTarget(target, copy);
                region_.blocks[block].targets.push_back(std::move(copied));
            }
        }
        copies_[copy].isFinished = true;
        order_.insert(order_.begin(), block);
    }

    void writeConstant(BlockId block, ValueId result, int64_t number) {
        const ir::Type type = region_.valueTypes[result];
        const Op op = type == ir::Type::kBool ? Op::k_const_bool : Op::k_const_int;
        region_.blocks[block].instructions.push_back({.op = op, .type = type, .result = result, .immediate = number, .operands = {}});
        constants_[result] = number;
    }

    void write(Instruction in, int copy) {
        written_++;
        for (ValueId& operand : in.operands) {
            operand = of(operand, copy);
        }
        if (in.result != ir::kNoId) {
            const ValueId own = region_.newValue(in.type);
            copies_[copy].values[std::exchange(in.result, own)] = own;
        }
        noteConstant(in);
        if (const std::optional<int64_t> number = foldInts(in.op, operandsOf(in))) {
            writeConstant(copies_[copy].block, in.result, *number);
        } else {
            region_.blocks[copies_[copy].block].instructions.push_back(std::move(in));
        }
    }

    std::vector<std::optional<int64_t>> operandsOf(const Instruction& in) const {
        std::vector<std::optional<int64_t>> numbers;
        if (isFoldable(in.op)) {
            std::ranges::transform(in.operands, std::back_inserter(numbers), [&](ValueId operand) { return constantOf(operand); });
        }
        return numbers;
    }

    // A block that is there twice was one of an inner loop.
    bool isWorthIt() const {
        std::unordered_set<BlockId> originals;
        return std::ranges::any_of(copies_, [&](const Copy& copy) { return !originals.insert(copy.original).second; });
    }

    // What follows upon one block only becomes its end: what is asked of a chain of operations is asked once for each block.
    void mergeBlocks(Target& entry) {
        std::unordered_map<BlockId, int> entries = {{entry.block, 2}};
        for (const BlockId block : order_) {
            std::ranges::for_each(region_.blocks[block].targets, [&](const Target& target) { entries[target.block]++; });
        }
        std::unordered_set<BlockId> merged;
        for (const BlockId block : order_) {
            while (!merged.contains(block) && region_.blocks[block].targets.size() == 1) {
                const Target next = region_.blocks[block].targets[0];
                if (next.block < static_cast<BlockId>(blocksBefore_) || entries[next.block] != 1) {
                    break;
                }
                append(block, next);
                merged.insert(next.block);
            }
        }
        std::erase_if(order_, [&](BlockId block) { return merged.contains(block); });
        for (const BlockId block : order_) {
            replaceParameters(block);
        }
    }

    void append(BlockId block, const Target& next) {
        Block& end = region_.blocks[next.block];
        for (size_t index = 0; index < end.parameters.size(); index++) {
            replaced_[end.parameters[index]] = next.arguments[index];
        }
        Block& into = region_.blocks[block];
        into.instructions.pop_back();
        std::ranges::move(end.instructions, std::back_inserter(into.instructions));
        into.targets = std::move(end.targets);
        end = {};
        end.instructions.push_back({.op = Op::k_jump, .operands = {}});
        end.targets.push_back({.block = header_, .arguments = region_.blocks[header_].parameters});
    }

    void replaceParameters(BlockId block) {
        auto replace = [&](ValueId& value) {
            for (auto found = replaced_.find(value); found != replaced_.end(); found = replaced_.find(value)) {
                value = found->second;
            }
        };
        for (Instruction& in : region_.blocks[block].instructions) {
            std::ranges::for_each(in.operands, replace);
        }
        for (Target& target : region_.blocks[block].targets) {
            std::ranges::for_each(target.arguments, replace);
        }
    }

    ir::Region& region_;
    const BlockId header_;
    const ir::Dominators dominators_;
    const std::vector<BlockId> homes_;
    const size_t blocksBefore_;
    const size_t valuesBefore_;
    std::set<BlockId> body_;
    std::unordered_map<ValueId, const Instruction*> definitions_;
    std::unordered_map<ValueId, int64_t> constants_;
    std::unordered_set<ValueId> controls_;
    std::vector<CarriedValue> carried_;
    std::vector<Copy> copies_;
    std::map<Key, int> known_;
    std::vector<BlockId> order_;  // of the copies: each behind those that lead to it
    std::unordered_map<ValueId, ValueId> replaced_;
    size_t written_ = 0;
    bool hasRounds_ = false;
    bool hasFailed_ = false;
};

}  // namespace

std::vector<BlockId> findHeadersAroundLoops(const ir::Region& region) {
    const std::vector<ir::Cycle> cycles = ir::findCycles(region);
    std::vector<std::pair<size_t, BlockId>> found;
    for (BlockId header = 1; header < static_cast<BlockId>(region.blocks.size()); header++) {
        if (comparisonOf(region, header) == nullptr) {
            continue;
        }
        const std::set<BlockId> body = blocksBackTo(region, header);
        auto isInside = [&](const ir::Cycle& cycle) {
            return std::ranges::all_of(cycle.blocks, [&](BlockId block) { return block != header && body.contains(block); });
        };
        if (std::ranges::any_of(cycles, isInside)) {
            found.emplace_back(body.size(), header);
        }
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &std::pair<size_t, BlockId>::first);
    std::vector<BlockId> headers;
    std::ranges::transform(found, std::back_inserter(headers), &std::pair<size_t, BlockId>::second);
    return headers;
}

bool unroll(ir::Region& region, BlockId header, bool assumes, UnrolledLoop& unrolled) {
    return Unroller(region, header).run(assumes, unrolled);
}

}  // namespace kiln::passes
