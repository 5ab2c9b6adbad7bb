// Guards wait from where they stood up to the first instruction that has an effect, or to the end of their block: what is computed
// meanwhile may be computed for nothing, and what leaves meanwhile lets them go first.
#include "jit/passes/sink_flag_guards.h"
#include "jit/passes/region_ops.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "interp/numpy_elements.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

constexpr size_t kMostWaiting = 12;

// One of exact code: those of a strip are deferred.
bool isFlagGuard(const Instruction& in) {
    return in.op == Op::k_guard_no_flag && in.snapshot != ir::kNoId;
}

bool asksForUnderflow(const Instruction& in) {
    return static_cast<Underflow>(in.immediate) != Underflow::kNever;
}

bool isConditionGuard(const Instruction& in) {
    return (in.op == Op::k_guard_true || in.op == Op::k_guard_false) && in.snapshot != ir::kNoId;
}

bool passesOn(Op op) {
    return op == Op::k_float_add || op == Op::k_float_sub || op == Op::k_float_mul || op == Op::k_float_neg ||
           op == Op::k_float_single;
}

class GuardSinker {
public:
    explicit GuardSinker(ir::Region& region)
        : region_(region), canAskBefore_(has(region, Op::k_poll) && !has(region, Op::k_resume)) {}

    bool run() {
        const auto blocks = static_cast<BlockId>(region_.blocks.size());
        for (BlockId block = 0; block < blocks; block++) {
            if (gains(block)) {
                rewrite(block);
                changed_ = true;
            }
        }
        if (least_ != ir::kNoId) {
            askForUnderflow();
        }
        return changed_;
    }

private:
    bool mayWait(const Instruction& in) const { return isFlagGuard(in) && (canAskBefore_ || !asksForUnderflow(in)); }

    // Up to here nothing has an effect, and all that leaves can let others go first.
    static bool staysWithin(const Instruction& in) {
        const ir::Effect effect = ir::info(in.op).effect;
        return effect == ir::Effect::kPure || effect == ir::Effect::kRead || isConditionGuard(in);
    }

    bool gains(BlockId block) const {
        return !region_.blocks[block].cold &&
               std::ranges::any_of(region_.blocks[block].instructions, [&](const Instruction& in) { return mayWait(in); });
    }

    // Results that are special if any result of a waiting guard is.
    std::vector<ValueId> endsOf(const std::vector<const Instruction*>& stretch) const {
        std::vector<ValueId> ends;
        std::unordered_set<ValueId> seen;
        for (auto in = stretch.rbegin(); in != stretch.rend(); ++in) {
            const Instruction& at = **in;
            if (mayWait(at) && seen.insert(at.operands[0]).second) {
                ends.push_back(at.operands[0]);
            } else if (passesOn(at.op) && seen.contains(at.result)) {
                seen.insert(at.operands.begin(), at.operands.end());
            }
        }
        return ends;
    }

    void rewrite(BlockId block) {
        std::vector<Instruction> instructions = std::exchange(region_.blocks[block].instructions, {});
        const std::vector<ir::Target> targets = std::exchange(region_.blocks[block].targets, {});
        at_ = block;
        for (Instruction& in : instructions) {
            if (mayWait(in)) {
                waiting_.push_back(in);
            } else if (!waiting_.empty() && isConditionGuard(in)) {
                leaveBehindWaiting(in);
                continue;
            } else if (!staysWithin(in)) {
                ask();
            }
            stretch_.push_back(in);
            if (!mayWait(in)) {
                emit(std::move(in));
            } else if (waiting_.size() == kMostWaiting) {
                ask();
            }
        }
        region_.blocks[at_].targets = targets;
        stretch_.clear();
    }

    // The guard, on whose way out the waiting ones come first.
    void leaveBehindWaiting(const Instruction& guard) {
        const BlockId cold = addCold();
        const BlockId next = addBlock();
        region_.blocks[cold].instructions.push_back(guard);
        jump(cold, next);
        branch(guard.operands[0], guard.op == Op::k_guard_true ? next : cold,
               guard.op == Op::k_guard_true ? cold : next);
        at_ = next;
    }

    // Lets the waiting guards run if it may matter.
    void ask() {
        std::vector<const Instruction*> stretch;
        for (const Instruction& in : stretch_) {
            stretch.push_back(&in);
        }
        if (!waiting_.empty()) {
            const BlockId cold = addCold();
            const BlockId next = addBlock();
            jump(cold, next);
            branch(isPlain(endsOf(stretch)), next, cold);
            at_ = next;
        }
        waiting_.clear();
        stretch_.clear();
    }

    // What is finite, less itself, is zero. Anything else is a nan, which is not even at least zero: one branch tells.
    ValueId isPlain(const std::vector<ValueId>& results) {
        ValueId sum = ir::kNoId;
        for (const ValueId result : results) {
            const ValueId zero = compute(Op::k_float_sub, {result, result});
            sum = sum == ir::kNoId ? zero : compute(Op::k_float_add, {sum, zero});
        }
        const bool underflow = std::ranges::any_of(waiting_, asksForUnderflow);
        if (underflow && least_ == ir::kNoId) {
            least_ = region_.newValue(ir::Type::kFloat);
        }
        const ValueId least = underflow ? least_ : compute(Op::k_const_float, {}, std::bit_cast<int64_t>(0.0));
        return compute(Op::k_float_ge, {sum, least});
    }

    // Whether NumPy ignores underflows, from the entry on: if not, no zero is enough.
    void askForUnderflow() {
        std::vector<Instruction> instructions = std::exchange(region_.blocks[0].instructions, {});
        at_ = 0;
        const ValueId ignored = compute(Op::k_underflow_ignored, {});
        const ValueId zero = compute(Op::k_const_float, {}, std::bit_cast<int64_t>(0.0));
        const ValueId one = compute(Op::k_const_float, {}, std::bit_cast<int64_t>(1.0));
        emit({.op = Op::k_float_select, .type = ir::Type::kFloat, .result = least_, .operands = {ignored, zero, one}});
        std::ranges::move(instructions, std::back_inserter(region_.blocks[0].instructions));
    }

    BlockId addBlock() {
        region_.blocks.emplace_back();
        return static_cast<BlockId>(region_.blocks.size()) - 1;
    }
    BlockId addCold() {
        const BlockId block = addBlock();
        region_.blocks[block].cold = true;
        region_.blocks[block].instructions = waiting_;
        return block;
    }
    void jump(BlockId from, BlockId to) {
        region_.blocks[from].instructions.push_back({.op = Op::k_jump, .operands = {}});
        region_.blocks[from].targets = {{.block = to, .arguments = {}}};
    }
    void branch(ValueId condition, BlockId whenTrue, BlockId whenFalse) {
        emit({.op = Op::k_branch, .operands = {condition}});
        region_.blocks[at_].targets = {{.block = whenTrue, .arguments = {}}, {.block = whenFalse, .arguments = {}}};
    }
    void emit(Instruction in) { region_.blocks[at_].instructions.push_back(std::move(in)); }
    ValueId compute(Op op, ir::Operands operands, int64_t immediate = 0) {
        const ir::Type type = ir::typeOfLetter(ir::info(op).result);
        const ValueId result = region_.newValue(type);
        emit({.op = op, .type = type, .result = result, .immediate = immediate, .operands = std::move(operands)});
        return result;
    }

    ir::Region& region_;
    const bool canAskBefore_;
    bool changed_ = false;
    ValueId least_ = ir::kNoId;  // what a zero is compared with where underflows matter
    BlockId at_ = ir::kNoId;     // the part of the block that is being written
    std::vector<Instruction> waiting_;
    std::vector<Instruction> stretch_;  // since the last one that had an effect
};

}  // namespace

bool sinkFlagGuards(ir::Region& region) {
    return GuardSinker(region).run();
}

bool maySinkFlagGuards(const ir::Region& region) {
    return has(region, Op::k_guard_no_flag);
}

}  // namespace kiln::passes
