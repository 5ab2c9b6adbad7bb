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
        : region_(region), incoming_(findIncoming(region)), order_(ir::reversePostorder(region)) {
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
    bool renumber(BlockId block) {
        const std::vector<ValueId>& parameters = region_.blocks[block].parameters;
        bool changed = false;
        for (size_t index = 0; index < parameters.size(); index++) {
            ValueId number = soleArgument(block, index);
            for (size_t earlier = 0; number == ir::kNoId; earlier++) {
                number = getsTheSame(block, earlier, index) ? parameters[earlier] : ir::kNoId;  // at the latest itself
            }
            changed = changed || numbers_[parameters[index]] != number;
            numbers_[parameters[index]] = number;
        }
        return changed;
    }

    bool getsTheSame(BlockId block, size_t one, size_t other) const {
        return one == other || std::ranges::all_of(incoming_[block], [&](const Target* target) {
            return numbers_[target->arguments[one]] == numbers_[target->arguments[other]];
        });
    }

    // The one number that it gets, as far as numbers are known; kNoId if there are several.
    ValueId soleArgument(BlockId block, size_t index) const {
        ValueId sole = ir::kNoId;
        for (const Target* target : incoming_[block]) {
            const ValueId number = numbers_[target->arguments[index]];
            if (number != ir::kNoId && sole != ir::kNoId && number != sole) {
                return ir::kNoId;
            }
            sole = number != ir::kNoId ? number : sole;
        }
        return sole;
    }

    const ir::Region& region_;
    const ir::Grouped<const Target*> incoming_;
    const std::vector<BlockId> order_;
    std::vector<ValueId> numbers_;  // by value
};

}  // namespace

ir::Grouped<const Target*> findIncoming(const ir::Region& region) {
    return {region.blocks.size(), [&](const auto& add) {
                for (const ir::Block& block : region.blocks) {
                    for (const Target& target : block.targets) {
                        add(static_cast<size_t>(target.block), &target);
                    }
                }
            }};
}

bool eraseParameters(ir::Region& region, const std::vector<bool>& marked) {
    for (ir::Block& block : region.blocks) {
        for (Target& target : block.targets) {
            auto parameter = region.blocks[target.block].parameters.begin();
            std::erase_if(target.arguments, [&](ValueId) { return marked[*parameter++]; });
        }
    }
    bool changed = false;
    for (ir::Block& block : region.blocks) {
        changed |= std::erase_if(block.parameters, [&](ValueId parameter) { return marked[parameter]; }) != 0;
    }
    return changed;
}

bool removeRedundantParameters(ir::Region& region) {
    ParameterNumbering numbering(region);
    if (!numbering.run()) {
        return false;
    }
    ValueReplacement replacement(region);
    std::vector<bool> redundant(region.valueTypes.size());
    bool changed = false;
    for (const ir::Block& block : region.blocks) {
        for (const ValueId parameter : block.parameters) {
            if (numbering.of(parameter) != parameter) {
                redundant[parameter] = changed = true;
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
