#include "jit/passes/version_strip.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "jit/passes/region_ops.h"

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::Target;
using ir::ValueId;

constexpr size_t kMostPlaces = 4;

class StripVersioner {
public:
    StripVersioner(ir::Region& region, const StripBlocks& strip) : region_(region), strip_(strip) {}

    void run() {
        findRounds();
        std::optional<std::pair<ValueId, int64_t>> length = findLength();
        if (length && !isWantedBehind()) {
            makeVersion(length->first, length->second);
        }
    }

private:
    // The blocks that each round runs through, the header first.
    void findRounds() {
        rounds_ = {strip_.header};
        for (size_t index = 0; index < rounds_.size(); index++) {
            for (const Target& target : region_.blocks[rounds_[index]].targets) {
                if (target.block != strip_.end && target.block != strip_.undo && std::ranges::find(rounds_, target.block) == rounds_.end()) {
                    rounds_.push_back(target.block);
                }
            }
        }
        for (const BlockId block : rounds_) {
            own_.insert(region_.blocks[block].parameters.begin(), region_.blocks[block].parameters.end());
            for (const Instruction& in : region_.blocks[block].instructions) {
                own_.insert(in.result);
            }
        }
    }

    // A length that positions are multiples of, and what it is if there are no other places than those that are taken.
    std::optional<std::pair<ValueId, int64_t>> findLength() const {
        const std::unordered_map<ValueId, int64_t> numbers = constants();
        std::unordered_map<ValueId, std::pair<ValueId, int64_t>> positions;  // the length, and which place
        std::map<ValueId, std::set<int64_t>> places;
        for (const BlockId block : rounds_) {
            for (const Instruction& in : region_.blocks[block].instructions) {
                if (in.op == Op::k_int_mul_index && !own_.contains(in.operands[1]) && !numbers.contains(in.operands[1])) {
                    positions[in.result] = {in.operands[1], 0};
                } else if (in.op == Op::k_int_add_index && positions.contains(in.operands[0]) && numbers.contains(in.operands[1])) {
                    const auto [length, place] = positions.at(in.operands[0]);
                    positions[in.result] = {length, place + numbers.at(in.operands[1])};
                } else if (isElement(in.op) && positions.contains(in.operands[1])) {
                    const auto [length, place] = positions.at(in.operands[1]);
                    places[length].insert(place);
                }
            }
        }
        for (const auto& [length, taken] : places) {
            const auto count = static_cast<int64_t>(taken.size());
            if (count >= 2 && taken.size() <= kMostPlaces && *taken.begin() == 0 && *taken.rbegin() == count - 1) {
                return std::pair(length, count);
            }
        }
        return std::nullopt;
    }

    std::unordered_map<ValueId, int64_t> constants() const {
        std::unordered_map<ValueId, int64_t> numbers;
        for (const Block& block : region_.blocks) {
            for (const Instruction& in : block.instructions) {
                if (in.op == Op::k_const_int) {
                    numbers[in.result] = in.immediate;
                }
            }
        }
        return numbers;
    }

    bool isWantedBehind() const {
        auto isOwn = [&](ValueId value) { return own_.contains(value); };
        for (BlockId block = 0; block < static_cast<BlockId>(region_.blocks.size()); block++) {
            const Block& other = region_.blocks[block];
            const bool wants = std::ranges::any_of(other.instructions, [&](const Instruction& in) { return std::ranges::any_of(in.operands, isOwn); }) ||
                               std::ranges::any_of(other.targets, [&](const Target& target) { return std::ranges::any_of(target.arguments, isOwn); });
            if (wants && std::ranges::find(rounds_, block) == rounds_.end()) {
                return true;
            }
        }
        return false;
    }

    void makeVersion(ValueId length, int64_t number) {
        Block& begin = region_.blocks[strip_.begin];
        begin.instructions.pop_back();  // the jump to the header
        const ValueId constant = region_.newValue(ir::Type::kInt);
        const ValueId fits = region_.newValue(ir::Type::kBool);
        begin.instructions.push_back({.op = Op::k_const_int, .type = ir::Type::kInt, .result = constant, .immediate = number, .operands = {}});
        begin.instructions.push_back({.op = Op::k_int_eq, .type = ir::Type::kBool, .result = fits, .operands = {length, constant}});
        begin.instructions.push_back({.op = Op::k_branch, .operands = {fits}});
        copies_[length] = constant;
        const Target header = begin.targets[0];
        const auto first = static_cast<BlockId>(region_.blocks.size());
        begin.targets = {{.block = first, .arguments = header.arguments}, header};
        for (const ValueId value : own_) {
            if (value != ir::kNoId) {
                copies_[value] = region_.newValue(region_.valueTypes[value]);
            }
        }
        for (const BlockId block : rounds_) {
            region_.blocks.push_back(copyOf(Block(region_.blocks[block]), first));
        }
    }

    Block copyOf(Block block, BlockId first) const {
        auto rename = [&](ValueId& value) {
            const auto copy = copies_.find(value);
            value = copy != copies_.end() ? copy->second : value;
        };
        std::ranges::for_each(block.parameters, rename);
        for (Instruction& in : block.instructions) {
            std::ranges::for_each(in.operands, rename);
            rename(in.result);
        }
        for (Target& target : block.targets) {
            std::ranges::for_each(target.arguments, rename);
            const auto found = std::ranges::find(rounds_, target.block);
            target.block = found != rounds_.end() ? first + static_cast<BlockId>(found - rounds_.begin()) : target.block;
        }
        return block;
    }

    ir::Region& region_;
    const StripBlocks& strip_;
    std::vector<BlockId> rounds_;
    std::unordered_set<ValueId> own_;  // values that the rounds compute
    std::unordered_map<ValueId, ValueId> copies_;
};

}  // namespace

void versionStrip(ir::Region& region, const StripBlocks& strip) {
    StripVersioner(region, strip).run();
}

}  // namespace kiln::passes
