// Numbers the parameters by what they get, taking them for equal until something tells them apart. So what only goes round through
// several blocks is found to be the value that came in, which no look at a single block shows.
#include "jit/passes/redundant_parameters.h"

#include <algorithm>

#include "jit/ir/dominators.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Target;
using ir::ValueId;

constexpr int kMostRounds = 32;  // each takes a value apart from others; a few are the rule

class ParameterNumbering {
public:
    explicit ParameterNumbering(const ir::Region& region)
        : region_(region), incoming_(findIncoming(region)), order_(ir::Dominators(region).reversePostorder()) {
        for (size_t value = 0; value < region.valueTypes.size(); value++) {
            numbers_.push_back(static_cast<ValueId>(value));
        }
        for (size_t block = 1; block < region.blocks.size(); block++) {
            for (const ValueId parameter : region.blocks[block].parameters) {
                numbers_[parameter] = ir::kNoId;  // not known to differ from anything
            }
        }
    }

    // False when there is no end of it.
    bool run() {
        bool changed = true;
        for (int round = 0; changed && round < kMostRounds; round++) {
            changed = false;
            for (const BlockId block : order_) {
                changed = (block != 0 && renumber(block)) || changed;
            }
        }
        return !changed;
    }

    // The value that the parameter is: itself, if it is no other's.
    ValueId of(ValueId parameter) const { return numbers_[parameter]; }

private:
    using Numbers = std::vector<ValueId>;

    bool renumber(BlockId block) {
        const std::vector<ValueId>& parameters = region_.blocks[block].parameters;
        std::vector<Numbers> seen;
        bool changed = false;
        for (size_t index = 0; index < parameters.size(); index++) {
            Numbers arguments;
            for (const Target* target : incoming_[block]) {
                arguments.push_back(numbers_[target->arguments[index]]);
            }
            ValueId number = soleOf(arguments);
            if (number == ir::kNoId) {
                const auto equal = std::ranges::find(seen, arguments);
                number = parameters[static_cast<size_t>(equal - seen.begin())];
            }
            seen.push_back(std::move(arguments));
            changed = changed || numbers_[parameters[index]] != number;
            numbers_[parameters[index]] = number;
        }
        return changed;
    }

    // The one number among them, as far as they are known; kNoId if there are several.
    static ValueId soleOf(const Numbers& arguments) {
        ValueId sole = ir::kNoId;
        for (const ValueId number : arguments) {
            if (number != ir::kNoId && sole != ir::kNoId && number != sole) {
                return ir::kNoId;
            }
            sole = number != ir::kNoId ? number : sole;
        }
        return sole;
    }

    const ir::Region& region_;
    const std::vector<std::vector<const Target*>> incoming_;
    const std::vector<BlockId> order_;
    Numbers numbers_;  // by value
};

template <typename Element>
void eraseMarked(std::vector<Element>& elements, const std::vector<bool>& marked) {
    size_t index = 0;
    std::erase_if(elements, [&](const Element&) { return marked[index++]; });
}

}  // namespace

std::vector<std::vector<const Target*>> findIncoming(const ir::Region& region) {
    std::vector<std::vector<const Target*>> incoming(region.blocks.size());
    for (const ir::Block& block : region.blocks) {
        for (const Target& target : block.targets) {
            incoming[target.block].push_back(&target);
        }
    }
    return incoming;
}

bool eraseParameters(ir::Region& region, const std::vector<std::vector<bool>>& marked) {
    bool changed = false;
    for (ir::Block& block : region.blocks) {
        for (Target& target : block.targets) {
            eraseMarked(target.arguments, marked[target.block]);
        }
    }
    for (size_t id = 0; id < region.blocks.size(); ++id) {
        const size_t before = region.blocks[id].parameters.size();
        eraseMarked(region.blocks[id].parameters, marked[id]);
        changed |= region.blocks[id].parameters.size() != before;
    }
    return changed;
}

bool removeRedundantParameters(ir::Region& region) {
    ParameterNumbering numbering(region);
    if (!numbering.run()) {
        return false;
    }
    ValueReplacement replacement(region);
    std::vector<std::vector<bool>> redundant(region.blocks.size());
    bool changed = false;
    for (size_t id = 0; id < region.blocks.size(); ++id) {
        for (const ValueId parameter : region.blocks[id].parameters) {
            const bool isOther = numbering.of(parameter) != parameter;
            redundant[id].push_back(isOther);
            changed = changed || isOther;
            if (isOther) {
                replacement.replace(parameter, numbering.of(parameter));
            }
        }
    }
    if (changed) {
        eraseParameters(region, redundant);
        replacement.apply(region);
    }
    return changed;
}

}  // namespace kiln::passes
