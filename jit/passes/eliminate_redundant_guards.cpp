// Removes guards that a dominating identical one has passed, and shares equal Pure computations and constants.
//
// A guard is a condition on SSA values, and what it reads of an object is invariant: guard_class is made only for
// classes whose instances cannot change class. Once passed, it holds wherever it dominates, and computes the same again. Where an
// instance keeps its values is the same within a block, up to what may give it a dict.
#include <functional>
#include <string_view>
#include <unordered_map>

#include "jit/ir/dominators.h"
#include "jit/passes/passes.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {

namespace {

using ir::BlockId;
using ir::Instruction;
using ir::ValueId;

struct Key {
    ir::Op op;
    ir::Type type;
    int64_t immediate;
    ir::Operands operands;

    bool operator==(const Key&) const = default;
};

struct KeyHash {
    size_t operator()(const Key& key) const {
        size_t hash = std::hash<int64_t>()(key.immediate) * 31 + static_cast<size_t>(key.op);
        for (const ValueId operand : key.operands) {
            hash = hash * 1000003 + static_cast<size_t>(operand);
        }
        return hash;
    }
};

struct Computed {
    BlockId block;
    ValueId result;  // kNoId for a guard without one
};

// True when the outcome stays what it was. A guard without operands asks about the world, which changes: polls, assumptions.
// Only the room on the stack is the same at each place of an activation. Who holds an object changes too, and what an array is like.
bool isRepeatable(ir::Op op) {
    const ir::Effect effect = ir::info(op).effect;
    const bool asksTheWorld = ir::info(op).operands[0] == '\0' && op != ir::Op::k_guard_stack;
    const bool asksMemory = op == ir::Op::k_guard_quiet || op == ir::Op::k_guard_displaced || op == ir::Op::k_guard_exchange || op == ir::Op::k_guard_array;
    return effect == ir::Effect::kPure || (effect == ir::Effect::kGuard && !asksTheWorld && !asksMemory);
}

// No instance gets a dict by it, nor other room for its values.
bool keepsValues(ir::Op op) {
    switch (op) {
        case ir::Op::k_incref: case ir::Op::k_incref_box: case ir::Op::k_decref: case ir::Op::k_decref_number: case ir::Op::k_decref_lender: case ir::Op::k_decref_unpacked: case ir::Op::k_decref_held:
        case ir::Op::k_decref_box: case ir::Op::k_xdecref: case ir::Op::k_store_attribute: case ir::Op::k_set_position: case ir::Op::k_count:
            return true;
        default: break;
    }
    const ir::Effect effect = ir::info(op).effect;
    return effect == ir::Effect::kPure || effect == ir::Effect::kRead || effect == ir::Effect::kGuard;
}

class RedundancyFinder {
public:
    explicit RedundancyFinder(ir::Region& region) : region_(region), dominators_(region), replacement_(region) {}

    bool run() {
        bool changed = false;
        // Dominators come first in this order, so an earlier equal computation has been seen when it matters.
        for (const BlockId block : dominators_.reversePostorder()) {
            epoch_++;
            changed |= std::erase_if(region_.blocks[block].instructions, [&](const Instruction& instruction) {
                           epoch_ += keepsValues(instruction.op) ? 0 : 1;
                           return isRepeatable(instruction.op) && findEarlier(block, instruction);
                       }) != 0;
        }
        if (changed) {
            replacement_.apply(region_);
        }
        return changed;
    }

private:
    // Whether a dominating instruction does the same. If not, this one is remembered.
    bool findEarlier(BlockId block, const Instruction& instruction) {
        const int64_t immediate = instruction.op == ir::Op::k_values ? epoch_ : instruction.immediate;
        Key key{instruction.op, instruction.type, immediate, instruction.operands};
        for (ValueId& operand : key.operands) {
            operand = replacement_.find(operand);
        }
        ShortVector<Computed>& candidates = computed_[std::move(key)];
        for (const Computed& earlier : candidates) {
            if (dominators_.dominates(earlier.block, block)) {
                if (instruction.result != ir::kNoId) {
                    replacement_.replace(instruction.result, earlier.result);
                }
                return true;
            }
        }
        candidates.push_back({block, instruction.result});
        return false;
    }

    ir::Region& region_;
    ir::Dominators dominators_;
    ValueReplacement replacement_;
    int64_t epoch_ = 0;  // changes wherever values may come to lie elsewhere
    std::unordered_map<Key, ShortVector<Computed>, KeyHash> computed_;
};

}  // namespace

bool eliminateRedundantGuards(ir::Region& region) {
    return RedundancyFinder(region).run();
}

}  // namespace kiln::passes
