// What is asked for is led back to what is known, backwards through definitions, guards that have passed, branches that were taken,
// and parameters, of which it must be so on each way into their block. A loop leads back to the same question: what was so in all
// rounds before is taken for so then, as every proof begins with the values that come in.
//
// Two values are compared as they are at one time. At a place that both their definitions dominate, a value is what it was when the
// last of the two was defined; so what is known of them holds there, and it is enough to see that all that is named dominates.
#include "jit/passes/difference_prover.h"

#include <algorithm>
#include <utility>

#include "interp/numpy_elements.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

constexpr int kMostSteps = 1000;  // of a question
constexpr size_t kMostDepth = 32;
constexpr int64_t kGreatest = int64_t{1} << 61;  // of constants: sums of two are exact

bool isLength(const Instruction& in) {
    return in.op == Op::k_array_length ||
           (in.op == Op::k_load_field && in.immediate == static_cast<int64_t>(Field::k_ob_size));
}

bool isUnsigned(const Instruction& in) {
    return in.op == Op::k_element_int && info(static_cast<Element>(in.immediate)).kind == ElementKind::kUnsigned &&
           info(static_cast<Element>(in.immediate)).bytes < static_cast<int>(sizeof(int64_t));
}

bool implies(const Difference& one, const Difference& other) {
    return one.low == other.low && one.high == other.high && one.distance <= other.distance;
}

}  // namespace

DifferenceProver::DifferenceProver(const ir::Region& region)
    : region_(region),
      dominators_(region),
      definitions_(region.valueTypes.size()),
      incoming_(region.blocks.size()),
      same_(region) {
    for (size_t id = 0; id < region.blocks.size(); id++) {
        const auto block = static_cast<BlockId>(id);
        const ir::Block& at = region.blocks[id];
        for (size_t index = 0; index < at.parameters.size(); index++) {
            definitions_[at.parameters[index]] = {block, index, true};
        }
        for (size_t index = 0; index < at.instructions.size(); index++) {
            if (at.instructions[index].result != ir::kNoId) {
                definitions_[at.instructions[index].result] = {block, index, false};
            }
        }
        for (const ir::Target& target : at.targets) {
            if (dominators_.reachable(block)) {
                incoming_[target.block].emplace_back(block, &target);
            }
        }
    }
    for (const BlockId block : dominators_.reversePostorder()) {
        collect(block);
    }
}

void DifferenceProver::collect(BlockId block) {
    const ir::Block& at = region_.blocks[block];
    for (size_t index = 0; index < at.instructions.size(); index++) {
        const Instruction& in = at.instructions[index];
        if ((in.op == Op::k_guard_true || in.op == Op::k_guard_false) && in.snapshot != ir::kNoId) {
            learn(in.operands[0], in.op == Op::k_guard_true, {block, index + 1});
        }
    }
    if (at.instructions.back().op == Op::k_branch) {
        for (size_t index = 0; index < at.targets.size(); index++) {
            if (incoming_[at.targets[index].block].size() == 1) {
                learn(at.instructions.back().operands[0], index == 0, {at.targets[index].block, 0});
            }
        }
    }
}

void DifferenceProver::learn(ValueId condition, bool outcome, const PlaceInRegion& from) {
    const Instruction* in = definitionOf(condition);
    if (in == nullptr) {
        return;
    }
    if (in->op == Op::k_bool_not) {
        learn(in->operands[0], !outcome, from);
    } else if (in->op == (outcome ? Op::k_bool_and : Op::k_bool_or)) {
        learn(in->operands[0], outcome, from);
        learn(in->operands[1], outcome, from);
    } else {
        learnComparison(*in, outcome, from);
    }
}

void DifferenceProver::learnComparison(const Instruction& in, bool outcome, const PlaceInRegion& from) {
    if (in.operands.size() != 2) {
        return;
    }
    const ValueId left = in.operands[0];
    const ValueId right = in.operands[1];
    switch (in.op) {
    case Op::k_int_lt: outcome ? add({left, right, -1}, from) : add({right, left, 0}, from); return;
    case Op::k_int_le: outcome ? add({left, right, 0}, from) : add({right, left, -1}, from); return;
    case Op::k_int_gt: outcome ? add({right, left, -1}, from) : add({left, right, 0}, from); return;
    case Op::k_int_ge: outcome ? add({right, left, 0}, from) : add({left, right, -1}, from); return;
    case Op::k_int_eq:
    case Op::k_int_ne:
        if (outcome == (in.op == Op::k_int_eq)) {
            add({left, right, 0}, from);
            add({right, left, 0}, from);
        }
        return;
    case Op::k_int_below:
        if (outcome) {
            add({left, right, -1}, from, right);
            add({kZero, left, 0}, from, right);
        }
        return;
    default: return;
    }
}

void DifferenceProver::add(const Difference& difference, const PlaceInRegion& from, ValueId nonNegative) {
    const Fact fact = {difference, nonNegative, from};
    if (difference.low != kZero) {
        byLow_[difference.low].push_back(fact);
    }
    if (difference.high != kZero) {
        byHigh_[difference.high].push_back(fact);
    }
}

const Instruction* DifferenceProver::definitionOf(ValueId value) const {
    const Definition& at = definitions_[value];
    return at.isParameter || at.block == ir::kNoId ? nullptr : &region_.blocks[at.block].instructions[at.index];
}

PlaceInRegion DifferenceProver::placeBehind(ValueId value) const {
    const Definition& at = definitions_[value];
    return {at.block, at.isParameter ? 0 : at.index + 1};
}

bool DifferenceProver::holds(const Difference& difference, const PlaceInRegion& place) {
    place_ = asked_ = place;
    open_.clear();
    proven_.clear();
    failed_[0].clear();
    failed_[1].clear();
    steps_ = 0;
    return prove(difference);
}

bool DifferenceProver::holdsIf(const Difference& difference, const PlaceInRegion& place,
                               std::vector<Difference>& missing) {
    missing_ = &missing;
    const bool known = holds(difference, place);
    missing_ = nullptr;
    return known;
}

bool DifferenceProver::isKnown(ValueId condition, bool outcome, const PlaceInRegion& place) {
    const Instruction* in = definitionOf(condition);
    if (in == nullptr || in->operands.size() != 2) {
        return false;
    }
    const ValueId left = in->operands[0];
    const ValueId right = in->operands[1];
    switch (in->op) {
    case Op::k_int_lt: return outcome ? holds({left, right, -1}, place) : holds({right, left, 0}, place);
    case Op::k_int_le: return outcome ? holds({left, right, 0}, place) : holds({right, left, -1}, place);
    case Op::k_int_gt: return outcome ? holds({right, left, -1}, place) : holds({left, right, 0}, place);
    case Op::k_int_ge: return outcome ? holds({right, left, 0}, place) : holds({left, right, -1}, place);
    case Op::k_int_below: return outcome && holds({kZero, left, 0}, place) && holds({left, right, -1}, place);
    default: return false;
    }
}

bool DifferenceProver::isConstant(ValueId value, int64_t& number) const {
    const Instruction* in = value != kZero ? definitionOf(value) : nullptr;
    if (in == nullptr || in->op != Op::k_const_int || in->immediate < -kGreatest || in->immediate > kGreatest) {
        return false;
    }
    number = in->immediate;
    return true;
}

bool DifferenceProver::applies(const Fact& fact) const {
    return fact.from.block == place_.block ? fact.from.index <= place_.index
                                           : dominators_.dominates(fact.from.block, place_.block);
}

bool DifferenceProver::isNeverNegative(ValueId value) const {
    const Instruction* in = value != kZero ? definitionOf(value) : nullptr;
    return in != nullptr && (isLength(*in) || isUnsigned(*in));
}

// Defined in another block, which comes first.
bool DifferenceProver::isBefore(ValueId value, BlockId block) const {
    return value == kZero ||
           (definitions_[value].block != block && dominators_.dominates(definitions_[value].block, block));
}

bool DifferenceProver::prove(Difference goal) {
    int64_t number = 0;
    goal.low = goal.low != kZero ? same_.find(goal.low) : kZero;
    goal.high = goal.high != kZero ? same_.find(goal.high) : kZero;
    if (isConstant(goal.low, number)) {
        goal = {kZero, goal.high, goal.distance - number};
    }
    if (isConstant(goal.high, number)) {
        goal = {goal.low, kZero, goal.distance + number};
    }
    if (goal.low == goal.high || (goal.low == kZero && isNeverNegative(goal.high))) {
        return goal.distance >= 0 || (goal.low != goal.high && proveStep(goal));
    }
    return proveStep(goal);
}

bool DifferenceProver::proveStep(const Difference& goal) {
    if (goal.distance < -kGreatest || goal.distance > kGreatest || questions_.size() >= kMostDepth ||
        ++steps_ > kMostSteps) {
        return false;
    }
    for (const Difference& open : open_) {
        if (open.low == goal.low && open.high == goal.high) {
            return open.distance <= goal.distance;  // so it was in all rounds before
        }
    }
    if (std::ranges::any_of(proven_, [&](const Difference& known) { return implies(known, goal); })) {
        return true;
    }
    if (std::ranges::any_of(
            questions_, [&](const Question& other) { return other.place == place_ && implies(goal, other.goal); })) {
        return false;  // it was led back to itself
    }
    const bool assumes = missing_ != nullptr && mayAssume(goal);
    std::vector<Difference>* missing = std::exchange(missing_, assumes ? nullptr : missing_);
    const size_t missingBefore = missing_ != nullptr ? missing_->size() : 0;
    const size_t provenBefore = proven_.size();
    questions_.push_back({goal, place_});
    const bool proven = proveFrom(goal);
    questions_.pop_back();
    if (!proven) {  // and so nothing is known that may have been led back to it
        proven_.resize(provenBefore);
        if (missing_ != nullptr) {
            missing_->resize(missingBefore);
        }
    }
    missing_ = missing;
    if (!proven && assumes) {
        missing_->push_back(goal);
    }
    return proven || assumes;
}

bool DifferenceProver::proveFrom(const Difference& goal) {
    const Instruction* low = goal.low != kZero ? definitionOf(goal.low) : nullptr;
    const Instruction* high = goal.high != kZero ? definitionOf(goal.high) : nullptr;
    return proveByFacts(goal) || (low != nullptr && proveByLow(goal, *low)) ||
           (high != nullptr && proveByHigh(goal, *high)) || proveByParameter(goal, goal.low) ||
           proveByParameter(goal, goal.high);
}

bool DifferenceProver::proveByFacts(const Difference& goal) {
    auto isPresent = [&](const Fact& fact) {
        return applies(fact) && (fact.nonNegative == kZero || isAtLeast(fact.nonNegative, 0));
    };
    if (const auto known = byLow_.find(goal.low); goal.low != kZero && known != byLow_.end()) {
        for (const Fact& fact : known->second) {
            const Difference& is = fact.difference;
            if (isPresent(fact) && prove({is.high, goal.high, goal.distance - is.distance})) {
                return true;
            }
        }
    }
    // What may be assumed is to be about the bound that was asked for.
    const bool isBoundFixed = missing_ != nullptr && goal.low != kZero;
    if (const auto known = byHigh_.find(goal.high); !isBoundFixed && goal.high != kZero && known != byHigh_.end()) {
        for (const Fact& fact : known->second) {
            const Difference& is = fact.difference;
            if (isPresent(fact) && prove({goal.low, is.low, goal.distance - is.distance})) {
                return true;
            }
        }
    }
    return false;
}

// The result is what it is in numbers without an end.
bool DifferenceProver::isExact(const Instruction& in) {
    switch (in.op) {
    case Op::k_int_add:
    case Op::k_int_sub:
    case Op::k_int_mul: return in.snapshot != ir::kNoId;
    case Op::k_int_add_index:
    case Op::k_int_mul_index: return true;
    case Op::k_int_sub_wrap: return isAtLeast(in.operands[0], 0) && isAtLeast(in.operands[1], 0);
    default: return false;
    }
}

bool DifferenceProver::proveByLow(const Difference& goal, const Instruction& in) {
    int64_t number = 0;
    auto isAtMostOf = [&](size_t operand, int64_t more) {
        return prove({in.operands[operand], goal.high, goal.distance + more});
    };
    switch (in.op) {
    case Op::k_int_add:
    case Op::k_int_add_index:
        if (!isExact(in)) {
            return false;
        }
        return isConstant(in.operands[1], number)   ? isAtMostOf(0, -number)
               : isConstant(in.operands[0], number) ? isAtMostOf(1, -number)
                                                    : false;
    case Op::k_int_sub:
    case Op::k_int_sub_wrap:
        if (!isExact(in)) {
            return false;
        }
        return isConstant(in.operands[1], number) ? isAtMostOf(0, number)
                                                  : isAtLeast(in.operands[1], 0) && isAtMostOf(0, 0);
    case Op::k_int_min: return isAtMostOf(0, 0) || isAtMostOf(1, 0);
    case Op::k_int_max: return isAtMostOf(0, 0) && isAtMostOf(1, 0);
    case Op::k_int_select: return isAtMostOf(1, 0) && isAtMostOf(2, 0);
    case Op::k_int_mod:
        return isAtLeast(in.operands[1], 1) && (isAtMostOf(1, 1) || (isAtLeast(in.operands[0], 0) && isAtMostOf(0, 0)));
    case Op::k_int_floordiv:
        return isConstant(in.operands[1], number) && number > 0 && isAtLeast(in.operands[0], 0) && isAtMostOf(0, 0);
    case Op::k_int_shr: return isAtLeast(in.operands[0], 0) && isAtMostOf(0, 0);
    case Op::k_int_and: return isConstant(in.operands[1], number) && number >= 0 && isAtMostOf(1, 0);
    case Op::k_element_int:
        return isUnsigned(in) &&
               prove({kZero, goal.high,
                      goal.distance - ((int64_t{1} << (8 * info(static_cast<Element>(in.immediate)).bytes)) - 1)});
    default: return false;
    }
}

bool DifferenceProver::proveByHigh(const Difference& goal, const Instruction& in) {
    int64_t number = 0;
    auto isAtLeastOf = [&](size_t operand, int64_t more) {
        return prove({goal.low, in.operands[operand], goal.distance + more});
    };
    auto isAtLeastZero = [&] { return prove({goal.low, kZero, goal.distance}); };
    switch (in.op) {
    case Op::k_int_add:
    case Op::k_int_add_index:
        if (!isExact(in)) {
            return false;
        }
        return isConstant(in.operands[1], number)   ? isAtLeastOf(0, number)
               : isConstant(in.operands[0], number) ? isAtLeastOf(1, number)
                                                    : (isAtLeast(in.operands[1], 0) && isAtLeastOf(0, 0)) ||
                                                          (isAtLeast(in.operands[0], 0) && isAtLeastOf(1, 0));
    case Op::k_int_sub:
    case Op::k_int_sub_wrap: return isConstant(in.operands[1], number) && isExact(in) && isAtLeastOf(0, -number);
    case Op::k_int_mul:
    case Op::k_int_mul_index:
        return isExact(in) && isAtLeastZero() && isAtLeast(in.operands[0], 0) && isAtLeast(in.operands[1], 0);
    case Op::k_int_min: return isAtLeastOf(0, 0) && isAtLeastOf(1, 0);
    case Op::k_int_max: return isAtLeastOf(0, 0) || isAtLeastOf(1, 0);
    case Op::k_int_select: return isAtLeastOf(1, 0) && isAtLeastOf(2, 0);
    case Op::k_int_mod: return isAtLeastZero() && isAtLeast(in.operands[1], 1);
    case Op::k_int_floordiv:
        return isConstant(in.operands[1], number) && number > 0 && isAtLeastZero() && isAtLeast(in.operands[0], 0);
    case Op::k_int_shr: return isAtLeastZero() && isAtLeast(in.operands[0], 0);
    case Op::k_int_and: return isConstant(in.operands[1], number) && number >= 0 && isAtLeastZero();
    default: return (isLength(in) || isUnsigned(in)) && isAtLeastZero();
    }
}

bool DifferenceProver::proveByParameter(const Difference& goal, ValueId parameter) {
    if (parameter == kZero || !definitions_[parameter].isParameter || definitions_[parameter].block == 0) {
        return false;
    }
    const BlockId block = definitions_[parameter].block;
    const ValueId other = parameter == goal.low ? goal.high : goal.low;
    const bool isBesides = other != kZero && definitions_[other].isParameter && definitions_[other].block == block;
    if (!isBesides && !isBefore(other, block)) {
        return false;
    }
    std::vector<Difference>& failed = failed_[missing_ != nullptr];
    if (std::ranges::any_of(failed, [&](const Difference& unknown) { return implies(goal, unknown); })) {
        return false;
    }
    open_.push_back(goal);
    const PlaceInRegion place = place_;
    const bool proven = proveOnEdges(goal, block);
    place_ = place;
    open_.pop_back();
    (proven ? proven_ : failed).push_back(goal);
    return proven;
}

bool DifferenceProver::proveOnEdges(const Difference& goal, BlockId block) {
    return std::ranges::all_of(incoming_[block], [&](const auto& edge) {
        place_ = {edge.first, region_.blocks[edge.first].instructions.size()};
        return prove({onEdge(goal.low, block, *edge.second), onEdge(goal.high, block, *edge.second), goal.distance});
    });
}

ValueId DifferenceProver::onEdge(ValueId value, BlockId block, const ir::Target& edge) const {
    const bool isPassed = value != kZero && definitions_[value].isParameter && definitions_[value].block == block;
    return isPassed ? edge.arguments[definitions_[value].index] : value;
}

// Both are there before the loop that the place asked about is in, once and for all. That something is less than a constant is nothing
// to hope for.
bool DifferenceProver::mayAssume(const Difference& goal) {
    auto isFixed = [&](ValueId value) {
        return value == kZero ||
               (dominators_.dominates(definitions_[value].block, asked_.block) && !isInLoop(definitions_[value].block));
    };
    return goal.high != kZero && isFixed(goal.low) && isFixed(goal.high) && isInLoop(asked_.block);
}

bool DifferenceProver::isInLoop(BlockId block) {
    const auto [known, isNew] = inLoop_.try_emplace(block, false);
    std::vector<bool> seen(isNew ? region_.blocks.size() : 0);
    std::vector<BlockId> pending;
    if (isNew) {
        pending.push_back(block);
    }
    while (!pending.empty() && !known->second) {
        const BlockId at = pending.back();
        pending.pop_back();
        for (const ir::Target& target : region_.blocks[at].targets) {
            known->second = known->second || target.block == block;
            if (!seen[target.block]) {
                seen[target.block] = true;
                pending.push_back(target.block);
            }
        }
    }
    return known->second;
}

}  // namespace kiln::passes
