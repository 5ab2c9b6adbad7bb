#include "jit/passes/strip_blocks.h"

#include <algorithm>
#include <iterator>

namespace kiln::passes {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::Target;
using ir::Type;
using ir::ValueId;

LoopCopy::LoopCopy(ir::Region& region, const CountedLoop& loop)
    : region_(region), loop_(loop), valuesBefore_(region.valueTypes.size()), blocksBefore_(region.blocks.size()) {
    for (const Block& block : region.blocks) {
        for (const Instruction& in : block.instructions) {
            if (in.op == Op::k_const_int) {
                constants_[in.result] = in.immediate;
            }
        }
    }
    for (BlockId* block : {&blocks_.entry, &blocks_.exact, &blocks_.check, &blocks_.ranges, &blocks_.later, &blocks_.begin, &blocks_.end,
                           &blocks_.undo, &blocks_.done, &blocks_.header}) {
        *block = addBlock();
    }
    for (size_t index = 0; index <= loop.body.size(); index++) {
        blocks_.body.push_back(addBlock());
    }
    for (const ValueId parameter : region.blocks[loop.header].parameters) {
        const ValueId own = region.newValue(region.valueTypes[parameter]);
        region.blocks[blocks_.entry].parameters.push_back(own);
    }
    copyBlock(loop.header, blocks_.header);
    counters_ = countersOfRounds();
    round_ = region.newValue(Type::kInt);
    nextRound_ = region.newValue(Type::kInt);
    region.blocks[blocks_.header].parameters.push_back(round_);
    for (size_t index = 0; index < loop.body.size(); index++) {
        copyBlock(loop.body[index], blocks_.body[index]);
    }
    makeLatch();
    mergeParameters();
    dropUnused();
}

// The counters that every way through a round adds to once.
std::vector<int64_t> LoopCopy::countersOfRounds() const {
    std::vector<int64_t> found;
    for (const BlockId block : loop_.body) {
        for (const Instruction& in : region_.blocks[block].instructions) {
            if (in.op == Op::k_count && std::ranges::find(found, in.immediate) == found.end() && countsRounds(in.immediate)) {
                found.push_back(in.immediate);
            }
        }
    }
    return found;
}

bool LoopCopy::countsRounds(int64_t counter) const {
    std::unordered_map<BlockId, int64_t> before;
    for (const BlockId block : loop_.body) {
        const int64_t after = before[block] + std::ranges::count_if(region_.blocks[block].instructions, [&](const Instruction& in) {
                                  return in.op == Op::k_count && in.immediate == counter;
                              });
        for (const Target& target : region_.blocks[block].targets) {
            const bool isNext = target.block == loop_.header;
            if (isNext ? after != 1 : before.emplace(target.block, after).first->second != after) {
                return false;
            }
        }
    }
    return true;
}

// Rounds are counted here, not on each way: what only counts is no reason to branch.
void LoopCopy::makeLatch() {
    Block& latch = region_.blocks[blocks_.body.back()];
    for (const int64_t counter : counters_) {
        latch.instructions.push_back({.op = Op::k_count, .immediate = counter, .operands = {}});
    }
    for (const ValueId parameter : region_.blocks[loop_.header].parameters) {
        latch.parameters.push_back(region_.newValue(region_.valueTypes[parameter]));
        values_.push_back(latch.parameters.back());
    }
    latch.instructions.push_back({.op = Op::k_jump, .operands = {}});
    latch.targets.push_back({.block = blocks_.header, .arguments = latch.parameters});
    latch.targets.back().arguments.push_back(nextRound_);
}

BlockId LoopCopy::addBlock() {
    region_.blocks.emplace_back();
    return static_cast<BlockId>(region_.blocks.size()) - 1;
}

ValueId LoopCopy::copyValue(ValueId value) {
    const ValueId copy = region_.newValue(region_.valueTypes[value]);
    copies_[value] = copy;
    values_.push_back(copy);
    return copy;
}

// Blocks come behind those that lead to them, so that what an instruction uses has been copied, or is from outside.
void LoopCopy::copyBlock(BlockId from, BlockId to) {
    Block copy;
    for (const ValueId parameter : region_.blocks[from].parameters) {
        copy.parameters.push_back(copyValue(parameter));
    }
    for (const Instruction& source : region_.blocks[from].instructions) {
        if (source.op == Op::k_count && std::ranges::find(counters_, source.immediate) != counters_.end()) {
            continue;
        }
        Instruction in = source;
        for (ValueId& operand : in.operands) {
            operand = of(operand);
        }
        if (in.result != ir::kNoId) {
            in.result = copyValue(source.result);
            definitions_[in.result] = in;
        }
        if (in.op == Op::k_const_int) {
            constants_[in.result] = in.immediate;
        }
        copy.instructions.push_back(std::move(in));
    }
    if (from == loop_.header) {
        copy.targets = {copyTarget(loop_.inside), {.block = blocks_.end, .arguments = {}}};
    } else {
        std::ranges::transform(region_.blocks[from].targets, std::back_inserter(copy.targets),
                               [&](const Target& target) { return copyTarget(target); });
    }
    region_.blocks[to] = std::move(copy);
}

Target LoopCopy::copyTarget(const Target& target) {
    Target copy = {.block = blocks_.undo, .arguments = {}};
    const auto found = std::ranges::find(loop_.body, target.block);
    if (target.block == loop_.header) {
        copy.block = blocks_.body.back();
    } else if (found != loop_.body.end()) {
        copy.block = blocks_.body[static_cast<size_t>(found - loop_.body.begin())];
    } else {
        return copy;
    }
    for (const ValueId argument : target.arguments) {
        copy.arguments.push_back(of(argument));
    }
    return copy;
}

ValueId LoopCopy::of(ValueId value) const {
    if (const auto copied = copies_.find(value); copied != copies_.end()) {
        value = copied->second;
    }
    for (auto found = replaced_.find(value); found != replaced_.end(); found = replaced_.find(value)) {
        value = found->second;
    }
    return value;
}

void LoopCopy::replace(ValueId value, ValueId replacement) {
    replaced_[value] = replacement;
    if (const int64_t* number = constant(value)) {
        constants_[replacement] = *number;
    }
}

const Instruction* LoopCopy::definition(ValueId value) const {
    const auto found = definitions_.find(value);
    return found != definitions_.end() ? &found->second : nullptr;
}

const int64_t* LoopCopy::constant(ValueId value) const {
    const auto found = constants_.find(value);
    return found != constants_.end() ? &found->second : nullptr;
}

// The one value that the copy's edges pass for a parameter, apart from the parameter itself; the parameter if they pass only that;
// kNoId if there are several.
ValueId LoopCopy::soleArgument(BlockId block, size_t index) const {
    const ValueId parameter = region_.blocks[block].parameters[index];
    ValueId sole = parameter;
    for (size_t from = static_cast<size_t>(blocks_.header); from < region_.blocks.size(); from++) {
        for (const Target& target : region_.blocks[from].targets) {
            const ValueId argument = target.block == block ? of(target.arguments[index]) : parameter;
            if (argument != parameter && argument != sole && sole != parameter) {
                return ir::kNoId;
            }
            sole = argument != parameter ? argument : sole;
        }
    }
    return sole;
}

std::vector<ValueId> LoopCopy::argumentsOf(ValueId parameter) const {
    std::vector<ValueId> arguments;
    for (const BlockId block : blocks_.body) {
        const std::vector<ValueId>& parameters = region_.blocks[block].parameters;
        const auto found = std::ranges::find(parameters, parameter);
        for (size_t from = static_cast<size_t>(blocks_.header); found != parameters.end() && from < region_.blocks.size(); from++) {
            for (const Target& target : region_.blocks[from].targets) {
                if (target.block == block) {
                    arguments.push_back(of(target.arguments[static_cast<size_t>(found - parameters.begin())]));
                }
            }
        }
    }
    return arguments;
}

ValueId LoopCopy::fromBody(size_t parameter) const {
    return soleArgument(blocks_.header, parameter);
}

// Of a block of the body. True when a parameter was found to be another value.
bool LoopCopy::mergeParametersOf(BlockId block) {
    bool merged = false;
    const std::vector<ValueId>& parameters = region_.blocks[block].parameters;
    for (size_t index = 0; index < parameters.size(); index++) {
        const ValueId sole = replaced_.contains(parameters[index]) ? ir::kNoId : soleArgument(block, index);
        if (sole != ir::kNoId && sole != parameters[index]) {
            replace(parameters[index], sole);
            merged = true;
        }
    }
    return merged;
}

// True when one of the header's is the same in all rounds.
bool LoopCopy::fixParameters() {
    bool fixed = false;
    for (size_t index = 0; index < entryParameters().size(); index++) {
        const ValueId parameter = region_.blocks[blocks_.header].parameters[index];
        if (!replaced_.contains(parameter) && soleArgument(blocks_.header, index) == parameter) {
            replace(parameter, entryParameters()[index]);
            fixed = true;
        }
    }
    return fixed;
}

void LoopCopy::mergeParameters() {
    for (bool again = true; again;) {
        again = fixParameters();
        for (const BlockId block : blocks_.body) {
            again = mergeParametersOf(block) || again;
        }
    }
}

// Of the copy: what an effect, a branch or the header needs.
std::unordered_set<ValueId> LoopCopy::usedValues() const {
    std::unordered_set<ValueId> used;
    size_t before = 0;
    auto use = [&](ValueId value) { used.insert(of(value)); };
    auto useIn = [&](const Block& block) {
        for (const Target& target : block.targets) {
            for (size_t index = 0; index < target.arguments.size(); index++) {
                if (target.block == blocks_.header || used.contains(of(region_.blocks[target.block].parameters[index]))) {
                    use(target.arguments[index]);
                }
            }
        }
        for (auto in = block.instructions.rbegin(); in != block.instructions.rend(); ++in) {
            if (ir::info(in->op).effect != ir::Effect::kPure || used.contains(in->result)) {
                std::ranges::for_each(in->operands, use);
            }
        }
    };
    do {
        before = used.size();
        std::for_each(blocks_.body.rbegin(), blocks_.body.rend(), [&](BlockId block) { useIn(region_.blocks[block]); });
        useIn(region_.blocks[blocks_.header]);
    } while (used.size() != before);
    return used;
}

// What only snapshots name, which the copy has none of, goes. The header keeps its parameters, which the loop gets behind the strip.
void LoopCopy::dropUnused() {
    const std::unordered_set<ValueId> used = usedValues();
    std::unordered_map<BlockId, std::vector<ValueId>> parameters;  // as they were
    auto isUnused = [&](BlockId block, size_t index) { return !used.contains(of(parameters.at(block)[index])); };
    auto dropAt = [&](BlockId block, std::vector<ValueId>& values) {
        size_t index = 0;
        std::erase_if(values, [&](ValueId) { return isUnused(block, index++); });
    };
    for (const BlockId block : blocks_.body) {
        parameters[block] = region_.blocks[block].parameters;
        dropAt(block, region_.blocks[block].parameters);
    }
    auto dropFrom = [&](Block& block) {
        std::erase_if(block.instructions, [&](const Instruction& in) {
            return ir::info(in.op).effect == ir::Effect::kPure && in.result != ir::kNoId && !used.contains(in.result);
        });
        for (Target& target : block.targets) {
            if (parameters.contains(target.block)) {
                dropAt(target.block, target.arguments);
            }
        }
    };
    dropFrom(region_.blocks[blocks_.header]);
    std::ranges::for_each(blocks_.body, [&](BlockId block) { dropFrom(region_.blocks[block]); });
}

void LoopCopy::discard() {
    region_.blocks.resize(blocksBefore_);
    region_.valueTypes.resize(valuesBefore_);
}

void LoopCopy::attach() {
    for (size_t block = 0; block < blocksBefore_; block++) {
        for (Target& target : region_.blocks[block].targets) {
            target.block = target.block == loop_.header ? blocks_.entry : target.block;
        }
    }
}

}  // namespace kiln::passes
