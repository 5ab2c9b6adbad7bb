// A random graph first, then instructions over the values that dominate each block.
#include "tests/jit/passes/random_region.h"

#include <random>

#include "jit/ir/dominators.h"
#include "tests/jit/passes/evaluator.h"

namespace kiln::test {

namespace {

using ir::BlockId;
using ir::Op;
using ir::Type;
using ir::ValueId;

class Generator {
public:
    explicit Generator(uint64_t seed) : random_(seed) {}

    ir::Region make() {
        region_.name = "random";
        region_.isFunction = true;
        region_.argumentTypes = {Type::kInt, Type::kInt, Type::kBool, Type::kObject, Type::kObject};
        region_.returnType = Type::kInt;
        region_.objects.resize(kObjectCount);
        region_.objectNames.resize(kObjectCount);
        region_.codes.resize(1);
        region_.codeNames.resize(1);
        makeGraph();
        const ir::Dominators dominators(region_);
        for (const BlockId block : dominators.reversePostorder()) {
            fill(block, dominators.immediateDominator(block));
        }
        for (size_t id = 0; id < region_.blocks.size(); ++id) {
            if (!dominators.reachable(static_cast<BlockId>(id))) {
                fill(static_cast<BlockId>(id), 0);
            }
        }
        passArguments();
        return std::move(region_);
    }

private:
    int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

    void makeGraph() {
        const int count = 2 + below(7);
        region_.blocks.resize(count);
        available_.resize(count);
        availableSnapshots_.resize(count);
        for (int id = 0; id < count; ++id) {
            ir::Block& block = region_.blocks[id];
            const int targets = id == 0 ? 1 + below(2) : below(3);
            for (int i = 0; i < targets; ++i) {
                block.targets.push_back({.block = 1 + below(count - 1)});
            }
            constexpr Type kTypes[] = {Type::kInt, Type::kInt, Type::kBool, Type::kObject};
            const std::vector<Type>& arguments = region_.argumentTypes;
            const size_t parameters = id == 0 ? arguments.size() : static_cast<size_t>(below(4));
            for (size_t i = 0; i < parameters; ++i) {
                block.parameters.push_back(region_.newValue(id == 0 ? arguments[i] : kTypes[below(4)]));
            }
        }
    }

    // `dominator`: the nearest block that is filled already and whose values may be used.
    void fill(BlockId id, BlockId dominator) {
        block_ = id;
        if (dominator != ir::kNoId) {
            available_[id] = available_[dominator];
            availableSnapshots_[id] = availableSnapshots_[dominator];
        }
        for (const ValueId parameter : region_.blocks[id].parameters) {
            available_[id].push_back(parameter);
        }
        for (int i = 2 + below(12); i > 0; --i) {
            addInstruction();
        }
        addEnd();
    }

    ValueId pickFrom(const std::vector<ValueId>& values, Type type) {
        std::vector<ValueId> fitting;
        for (const ValueId value : values) {
            if (region_.valueTypes[value] == type) {
                fitting.push_back(value);
            }
        }
        return fitting[below(static_cast<int>(fitting.size()))];  // the region's arguments are always there
    }
    ValueId pick(Type type) { return pickFrom(available_[block_], type); }

    void add(Op op, ir::Operands operands, int64_t immediate = 0) {
        ir::Instruction instruction{.op = op, .immediate = immediate, .operands = std::move(operands)};
        instruction.snapshot = ir::namesSnapshot(op) ? pickSnapshot() : ir::kNoId;
        instruction.type = ir::typeOfLetter(ir::info(op).result);
        if (instruction.type != Type::kNone) {
            instruction.result = region_.newValue(instruction.type);
            available_[block_].push_back(instruction.result);
        }
        region_.blocks[block_].instructions.push_back(std::move(instruction));
    }

    void addInstruction() {
        switch (below(16)) {
        case 0: return add(Op::k_const_int, {}, below(2));
        case 1: return add(Op::k_int_add, {pick(Type::kInt), pick(Type::kInt)});
        case 2: return add(Op::k_int_xor, {pick(Type::kInt), pick(Type::kInt)});
        case 3: return add(Op::k_int_lt, {pick(Type::kInt), pick(Type::kInt)});
        case 4: return add(Op::k_bool_not, {pick(Type::kBool)});
        case 5: return add(below(2) == 0 ? Op::k_guard_true : Op::k_guard_false, {pick(Type::kBool)});
        case 6: return add(Op::k_guard_class, {pick(Type::kObject)}, below(2));
        case 7: return add(Op::k_guard_is, {pick(Type::kObject)}, below(kObjectCount));
        case 8: return add(below(2) == 0 ? Op::k_safepoint : Op::k_poll, {});
        case 9: return add(Op::k_load_field, {pick(Type::kObject)});
        case 10: return add(Op::k_const_object, {}, below(kObjectCount));
        case 11:
            return below(4) == 0 ? add(Op::k_cell_store, {pick(Type::kObject), pick(Type::kObject)})
                                 : add(Op::k_decref, {pick(Type::kObject)});
        case 12:
        case 13: return addCheck();
        default: return addPair();
        }
    }

    // Of an index of Python's.
    void addCheck() {
        const ValueId index = pick(Type::kInt);
        const ValueId length = pick(Type::kInt);
        add(Op::k_const_int, {}, 0);
        add(Op::k_int_lt, {index, available_[block_].back()});
        const ValueId negative = available_[block_].back();
        add(Op::k_int_add_wrap, {index, length});
        add(Op::k_int_select, {negative, available_[block_].back(), index});
        add(Op::k_int_below, {available_[block_].back(), length});
        if (below(2) == 0) {
            add(Op::k_guard_true, {available_[block_].back()});
        }
    }

    void addPair() {
        const ValueId object = pick(Type::kObject);
        add(Op::k_incref, {object});
        preferOwned_ = object;
        for (int i = below(4); i > 0; --i) {
            add(Op::k_guard_class, {pick(Type::kObject)}, below(2));
        }
        preferOwned_ = ir::kNoId;
        add(Op::k_decref, {object});
    }

    void addEnd() {
        const size_t targets = region_.blocks[block_].targets.size();
        if (targets == 0) {
            return below(2) == 0 ? add(Op::k_exit, {}) : add(Op::k_return_value, {pick(Type::kInt)});
        }
        return targets == 1 ? add(Op::k_jump, {}) : add(Op::k_branch, {pick(Type::kBool)});
    }

    // A new snapshot, or one that an instruction before has.
    ir::SnapshotId pickSnapshot() {
        std::vector<ir::SnapshotId>& known = availableSnapshots_[block_];
        if (!known.empty() && below(3) == 0) {
            return known[below(static_cast<int>(known.size()))];
        }
        const auto id = static_cast<ir::SnapshotId>(region_.snapshots.size());
        ir::FrameSnapshot frame;
        for (int i = below(3); i > 0; --i) {
            frame.slots.push_back(valueSource(pick(below(2) == 0 ? Type::kInt : Type::kObject), below(2) == 0));
        }
        if (preferOwned_ != ir::kNoId && below(4) != 0) {
            frame.slots.push_back({.kind = ir::SlotKind::kTuple, .parts = {valueSource(preferOwned_, true)}});
        }
        region_.snapshots.push_back({.reason = id, .frames = {region_.newFrame(std::move(frame))}});
        known.push_back(id);
        return id;
    }

    ir::SlotSource valueSource(ValueId value, bool owned) {
        return {
            .kind = ir::SlotKind::kValue, .owned = owned && region_.valueTypes[value] == Type::kObject, .value = value};
    }

    void passArguments() {
        for (size_t id = 0; id < region_.blocks.size(); ++id) {
            for (ir::Target& target : region_.blocks[id].targets) {
                for (const ValueId parameter : region_.blocks[target.block].parameters) {
                    target.arguments.push_back(pickFrom(available_[id], region_.valueTypes[parameter]));
                }
            }
        }
    }

    std::mt19937_64 random_;
    ir::Region region_;
    BlockId block_ = 0;
    ValueId preferOwned_ = ir::kNoId;
    std::vector<std::vector<ValueId>> available_;  // at the end of each block
    std::vector<std::vector<ir::SnapshotId>> availableSnapshots_;
};

}  // namespace

ir::Region makeRandomRegion(uint64_t seed) {
    return Generator(seed).make();
}

}  // namespace kiln::test
