// A use that is reached from the header without another definition is one of the parameter. One that is reached both ways would take a
// parameter of its own.
#include "jit/passes/carried_values.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::SnapshotId;
using ir::Target;
using ir::ValueId;

// Calls `visit` with each value that the block uses, and `visitSnapshot` with each snapshot.
template <typename AnyBlock, typename Visit, typename VisitSnapshot>
void forEachUse(AnyBlock& block, const Visit& visit, const VisitSnapshot& visitSnapshot) {
    for (auto& in : block.instructions) {
        std::ranges::for_each(in.operands, visit);
        if (in.snapshot != ir::kNoId) {
            visitSnapshot(in.snapshot);
        }
    }
    for (auto& target : block.targets) {
        std::ranges::for_each(target.arguments, visit);
    }
}

enum class Use { kValue, kParameter, kUnknown };

class Carrier {
public:
    Carrier(ir::Region& region, const ir::Dominators& dominators, BlockId header, const std::vector<CarriedValue>& carried)
        : region_(region), dominators_(dominators), header_(header), carried_(carried), homes_(ir::homesOfValues(region)) {
        for (const CarriedValue& each : carried) {
            parameters_[each.value] = each.parameter;
        }
    }

    bool run() {
        for (const BlockId block : dominators_.reversePostorder()) {
            look(block);
        }
        if (!isGood_) {
            return false;
        }
        for (const CarriedValue& each : carried_) {
            region_.blocks[header_].parameters.push_back(each.parameter);
        }
        for (const BlockId block : dominators_.reversePostorder()) {
            pass(block);
            forEachUse(region_.blocks[block], [&](ValueId& value) { replace(value, block); }, [](SnapshotId) {});
        }
        for (const auto& [key, use] : inSnapshots_) {
            if (use == Use::kParameter) {
                replaceInSnapshot(region_.snapshots[key.first], key.second);
            }
        }
        return true;
    }

private:
    void look(BlockId block) {
        auto visit = [&](ValueId value) { isGood_ = isGood_ && useOf(value, block) != Use::kUnknown; };
        auto visitSnapshot = [&](SnapshotId snapshot) {
            ir::forEachSnapshotValue(region_, region_.snapshots[snapshot], [&](ValueId value) {
                visit(value);
                if (parameters_.contains(value)) {
                    const Use use = useOf(value, block);
                    isGood_ = isGood_ && inSnapshots_.try_emplace({snapshot, value}, use).first->second == use;
                }
            });
        };
        forEachUse(std::as_const(region_.blocks[block]), visit, visitSnapshot);
        for (const Target& target : region_.blocks[block].targets) {
            if (target.block == header_) {
                std::ranges::for_each(carried_, [&](const CarriedValue& each) { visit(each.value); });
            }
        }
    }

    // Others, elsewhere, may share the frames.
    void replaceInSnapshot(ir::Snapshot& snapshot, ValueId wanted) {
        auto replaceIt = [&](ValueId& value) { value = value == wanted ? parameters_.at(value) : value; };
        for (ir::FrameId& frame : snapshot.frames) {
            bool isNamed = false;
            ir::forEachFrameValue(std::as_const(region_).frames[frame], [&](ValueId value) { isNamed = isNamed || value == wanted; });
            if (isNamed) {
                ir::forEachFrameValue(region_.ownFrame(frame), replaceIt);
            }
        }
        for (ir::NameSource& name : snapshot.names) {
            ir::forEachValue(name.source, replaceIt);
        }
    }

    void pass(BlockId block) {
        for (Target& target : region_.blocks[block].targets) {
            for (const CarriedValue& each : carried_) {
                if (target.block == header_) {
                    target.arguments.push_back(each.value);
                }
            }
        }
    }

    void replace(ValueId& value, BlockId block) {
        if (useOf(value, block) == Use::kParameter) {
            value = parameters_.at(value);
        }
    }

    Use useOf(ValueId value, BlockId block) {
        if (!parameters_.contains(value) || block == homes_[value]) {
            return Use::kValue;
        }
        if (block == header_) {
            return Use::kParameter;
        }
        const Reached& reached = reachedWith(homes_[value]);
        if (!reached.fromHeader[block]) {
            return Use::kValue;
        }
        return reached.fromHome[block] || !dominators_.dominates(header_, block) ? Use::kUnknown : Use::kParameter;
    }

    struct Reached {
        std::vector<bool> fromHeader;  // not by way of the home
        std::vector<bool> fromHome;    // not by way of the header
    };

    const Reached& reachedWith(BlockId home) {
        const auto [found, isNew] = reached_.try_emplace(home);
        if (isNew) {
            found->second = {reach(header_, home), reach(home, header_)};
        }
        return found->second;
    }

    std::vector<bool> reach(BlockId from, BlockId without) const {
        std::vector<bool> reached(region_.blocks.size());
        std::vector<BlockId> open = {from};
        while (!open.empty()) {
            const BlockId block = open.back();
            open.pop_back();
            for (const Target& target : region_.blocks[block].targets) {
                if (target.block != without && target.block != from && !reached[target.block]) {
                    reached[target.block] = true;
                    open.push_back(target.block);
                }
            }
        }
        return reached;
    }

    ir::Region& region_;
    const ir::Dominators& dominators_;
    const BlockId header_;
    const std::vector<CarriedValue>& carried_;
    const std::vector<BlockId> homes_;
    std::unordered_map<ValueId, ValueId> parameters_;
    std::unordered_map<BlockId, Reached> reached_;
    std::map<std::pair<SnapshotId, ValueId>, Use> inSnapshots_;
    bool isGood_ = true;
};

// Values that other blocks than their own use.
std::vector<bool> findUsedElsewhere(const ir::Region& region, const ir::Dominators& dominators) {
    const std::vector<BlockId> homes = ir::homesOfValues(region);
    std::vector<bool> used(region.valueTypes.size());
    for (const BlockId block : dominators.reversePostorder()) {
        auto visit = [&](ValueId value) { used[value] = used[value] || homes[value] != block; };
        forEachUse(region.blocks[block], visit, [&](SnapshotId id) { ir::forEachSnapshotValue(region, region.snapshots[id], visit); });
    }
    return used;
}

}  // namespace

std::vector<CarriedValue> findCarriedValues(const ir::Region& region, const ir::Dominators& dominators, BlockId header,
                                            const std::set<BlockId>& body) {
    std::vector<CarriedValue> carried;
    const std::vector<bool> used = findUsedElsewhere(region, dominators);
    auto add = [&](ValueId value) {
        if (value != ir::kNoId && used[value]) {
            carried.push_back({.value = value});
        }
    };
    for (const BlockId block : body) {
        if (block != header && dominators.dominates(block, header)) {
            std::ranges::for_each(region.blocks[block].parameters, add);
            for (const Instruction& in : region.blocks[block].instructions) {
                const bool isConstant = ir::info(in.op).effect == ir::Effect::kPure && in.operands.empty();
                add(isConstant ? ir::kNoId : in.result);
            }
        }
    }
    return carried;
}

bool carryValues(ir::Region& region, const ir::Dominators& dominators, BlockId header, const std::vector<CarriedValue>& carried) {
    return Carrier(region, dominators, header, carried).run();
}

bool carryRoundBefore(ir::Region& region, BlockId header, const std::set<BlockId>& body) {
    const ir::Dominators dominators(region);
    const size_t valuesBefore = region.valueTypes.size();
    std::vector<CarriedValue> carried = findCarriedValues(region, dominators, header, body);
    for (CarriedValue& each : carried) {
        each.parameter = region.newValue(region.valueTypes[each.value]);
    }
    const bool isCarried = carryValues(region, dominators, header, carried);
    if (!isCarried) {
        region.valueTypes.resize(valuesBefore);
    }
    return isCarried;
}

}  // namespace kiln::passes
