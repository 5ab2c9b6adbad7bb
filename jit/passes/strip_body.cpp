// Polls go. A guard of an invariant is asked before the strip, one of what grows evenly for its first and its last round, others are
// deferred; those that protect what follows, as the checks of computed indices, end the strip at once.
#include "jit/passes/strip_body.h"

#include <algorithm>

#include "interp/numpy_elements.h"
#include "jit/strips.h"

namespace kiln::passes {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;
using Round = StripRanges::Round;

namespace {

bool isPure(const Instruction& in) {
    return ir::info(in.op).effect == ir::Effect::kPure;
}

bool isDivision(Op op) {
    return op == Op::k_int_floordiv || op == Op::k_int_mod;
}

bool isIntGuard(Op op) {
    return op == Op::k_int_add || op == Op::k_int_sub || op == Op::k_int_mul || op == Op::k_int_neg;
}

constexpr int kBitsOfInt = 64;

// Comparisons that hold between two rounds if they hold in both, of values that grow evenly.
bool isMonotonic(Op op) {
    return op == Op::k_int_lt || op == Op::k_int_le || op == Op::k_int_gt || op == Op::k_int_ge || op == Op::k_int_below;
}

}  // namespace

StripBody::StripBody(ir::Region& region, LoopCopy& copy, StripRanges& ranges, int64_t marks)
    : region_(region), copy_(copy), ranges_(ranges), marks_(marks), floats_(region, copy) {
    for (const ir::Block& block : region.blocks) {
        for (const Instruction& in : block.instructions) {
            if (in.op == Op::k_const_object) {
                constantObjects_.insert(in.result);
            }
        }
    }
}

void StripBody::emit(Instruction in) {
    region_.blocks[at_].instructions.push_back(std::move(in));
}

ValueId StripBody::of(ValueId value) const {
    value = copy_.of(value);
    const auto found = narrowed_.find(value);
    return found != narrowed_.end() ? found->second : value;
}

BlockId StripBody::lastOf(BlockId block) const {
    const auto found = last_.find(block);
    return found != last_.end() ? found->second : block;
}

// Its operands are invariant, and to do it in the check block has no other effect.
bool StripBody::isMovable(const Instruction& in) const {
    const bool isGuardOfCondition = in.op == Op::k_guard_true || in.op == Op::k_guard_false;
    if (in.op == Op::k_guard_array && !constantObjects_.contains(in.operands[0])) {
        return false;  // nothing may be read of what is no array at all
    }
    return (isPure(in) || (ir::isDeferrable(in.op) && !isGuardOfCondition && !isDivision(in.op))) &&
           std::ranges::all_of(in.operands, [&](ValueId operand) { return ranges_.isInvariant(operand); });
}

void StripBody::hoistFrom(BlockId block) {
    std::vector<Instruction> instructions = std::move(region_.blocks[block].instructions);
    region_.blocks[block].instructions.clear();
    for (Instruction& in : instructions) {
        for (ValueId& operand : in.operands) {
            operand = of(operand);
        }
        if (isMovable(in)) {
            hoist(in);
        } else {
            region_.blocks[block].instructions.push_back(std::move(in));
        }
    }
}

void StripBody::hoist(Instruction in) {
    const ValueId result = in.result;
    in.result = ranges_.hoist(in);
    if (in.op == Op::k_const_object) {
        constantObjects_.insert(in.result);
    }
    if (result != ir::kNoId) {
        widths_.add(in);
        copy_.replace(result, in.result);
        if (uncounted_.contains(result)) {
            uncounted_.insert(in.result);
        }
    }
}

bool StripBody::rewrite() {
    for (const BlockId block : copy_.blocks().body) {
        if (isInEachRound({block})) {
            always_.insert(block);
        }
    }
    bool good = rewriteBlock(copy_.blocks().header);
    for (const BlockId block : copy_.blocks().body) {
        good = good && rewriteBlock(block);
    }
    return good && sumsStaySmall() && settleMarks();
}

bool StripBody::rewriteBlock(BlockId block) {
    std::vector<Instruction> instructions = std::move(region_.blocks[block].instructions);
    std::vector<ir::Target> targets = std::move(region_.blocks[block].targets);
    region_.blocks[block].instructions.clear();
    region_.blocks[block].targets.clear();
    at_ = block_ = block;
    narrowed_.clear();
    own_.clear();
    for (const Instruction& in : instructions) {
        own_.insert(in.result);
    }
    floats_.enter(instructions);
    findHeld(instructions);
    for (Instruction& in : instructions) {
        for (ValueId& operand : in.operands) {
            operand = of(operand);
        }
        if (!rewrite(std::move(in))) {
            return false;
        }
    }
    for (ir::Target& target : targets) {
        for (ValueId& argument : target.arguments) {
            argument = of(argument);
        }
        canFail_ = canFail_ || target.block == copy_.blocks().undo;
    }
    region_.blocks[at_].targets = std::move(targets);
    last_[block] = at_;
    return true;
}

bool StripBody::rewrite(Instruction in) {
    if (in.op == Op::k_poll || rewriteReference(in)) {
        return true;
    }
    if (in.op == Op::k_guard_no_flag) {
        deferFlag(std::move(in));
        return true;
    }
    if (isMovable(in)) {
        hoist(in);
        return true;
    }
    if (const Extreme* extreme = floats_.extremeOf(in)) {
        takeExtreme(*extreme);
        if (extreme->isSelect) {
            return true;
        }
    }
    if (in.op == Op::k_store_element_int || in.op == Op::k_store_element_float) {
        return joinsLastStore(in) || rewriteStore(in);
    }
    if (rewriteGuard(in) || rewriteSelect(in) || rewriteDivision(in) || rewriteArithmetic(in)) {
        return true;
    }
    if (ir::isDeferrable(in.op) && !isDivision(in.op) && in.op != Op::k_guard_array) {
        deferGuard(std::move(in));
        return true;
    }
    const bool isRead = in.op == Op::k_element_int || in.op == Op::k_element_float;
    if (!isPure(in) && !isRead && in.op != Op::k_count && ir::info(in.op).effect != ir::Effect::kEnd) {
        return false;
    }
    emit(std::move(in));
    return true;
}

// What grows evenly has no overflow if it has none at both ends.
bool StripBody::rewriteArithmetic(const Instruction& in) {
    for (const ValueId operand : in.operands) {
        if (const int64_t* number = copy_.constant(operand)) {
            widths_.assumeNumber(operand, *number);
        }
    }
    widths_.add(in);
    if (ranges_.addLinear(in)) {
        if (isIntGuard(in.op)) {
            ranges_.in(Round::kFirst, in.result);
            ranges_.in(Round::kLast, in.result);
        }
        emitPlain(in);
        return true;
    }
    if (isIntGuard(in.op) && widths_.of(in.result) <= kBitsOfInt) {
        emitPlain(in);
        return true;
    }
    return false;
}

// An operation that is known to have no overflow.
void StripBody::emitPlain(Instruction in) {
    in.snapshot = ir::kNoId;
    if (in.op == Op::k_int_neg) {
        in.operands.insert(in.operands.begin(), ranges_.constant(0));
    }
    if (isIntGuard(in.op)) {
        in.op = in.op == Op::k_int_mul ? Op::k_int_mul_index : in.op == Op::k_int_add ? Op::k_int_add_index : Op::k_int_sub_wrap;
    }
    emit(std::move(in));
}

// The divisor is positive and the same in all rounds. i // n is the same in all, too, if it is at both ends, and i % n grows as i then.
bool StripBody::rewriteDivision(Instruction in) {
    if (!isDivision(in.op) || !ranges_.isInvariant(in.operands[1])) {
        return false;
    }
    const ValueId isPositive = ranges_.compute(Op::k_int_gt, {in.operands[1], ranges_.constant(0)});
    const ValueId divisor = ranges_.compute(Op::k_int_select, {isPositive, in.operands[1], ranges_.constant(1)});
    require(isPositive);
    in.operands[1] = divisor;
    in.snapshot = ir::kNoId;
    if (!ranges_.isLinear(in.operands[0])) {
        emit(std::move(in));
        return true;
    }
    const ValueId first = ranges_.compute(Op::k_int_floordiv, {ranges_.in(Round::kFirst, in.operands[0]), divisor});
    const ValueId last = ranges_.compute(Op::k_int_floordiv, {ranges_.in(Round::kLast, in.operands[0]), divisor});
    require(ranges_.compute(Op::k_int_eq, {first, last}));
    if (in.op == Op::k_int_floordiv) {
        copy_.replace(in.result, first);
        return true;
    }
    in.op = Op::k_int_sub;
    in.operands[1] = ranges_.compute(Op::k_int_mul, {first, divisor});
    return rewriteArithmetic(in);
}

// An index from the end where it is negative: select(i < 0, i + length, i). It is the index itself if that is not negative.
bool StripBody::rewriteSelect(const Instruction& in) {
    const Instruction* sign = in.op == Op::k_int_select ? copy_.definition(in.operands[0]) : nullptr;
    if (sign == nullptr || sign->op != Op::k_int_lt) {
        return false;
    }
    const ValueId index = of(in.operands[2]);
    const int64_t* bound = copy_.constant(of(sign->operands[1]));
    if (of(sign->operands[0]) != index || bound == nullptr || *bound != 0 || !ranges_.isLinear(index)) {
        return false;
    }
    const ValueId zero = ranges_.constant(0);
    for (const Round round : {Round::kFirst, Round::kLast}) {
        require(ranges_.compute(Op::k_int_ge, {ranges_.in(round, index), zero}));
    }
    risingIndices_.push_back(index);
    copy_.replace(in.result, index);
    return true;
}

bool StripBody::rewriteGuard(const Instruction& in) {
    if (in.op == Op::k_guard_true || in.op == Op::k_guard_false) {
        const bool wanted = in.op == Op::k_guard_true;
        const ValueId condition = in.operands[0];
        const Instruction* comparison = copy_.definition(condition);
        if (ranges_.isInvariant(condition)) {
            require(wanted ? condition : ranges_.compute(Op::k_bool_not, {condition}));
        } else if (comparison == nullptr || !requireAtEnds(*comparison, wanted)) {
            leaveUnless(in);
        }
        return true;
    }
    if ((in.op == Op::k_guard_fits || in.op == Op::k_guard_exact) && ranges_.isLinear(in.operands[0])) {
        for (const Round round : {Round::kFirst, Round::kLast}) {
            ranges_.hoist({.op = in.op, .immediate = in.immediate, .operands = {ranges_.in(round, in.operands[0])}});
        }
        return true;
    }
    return false;
}

// True when the comparison has the wanted outcome in all rounds if it has it in the first and in the last.
bool StripBody::requireAtEnds(const Instruction& in, bool wanted) {
    if (!isMonotonic(in.op)) {
        return false;
    }
    const ValueId left = of(in.operands[0]);
    const ValueId right = of(in.operands[1]);
    const bool isUnsigned = in.op == Op::k_int_below;
    if (!ranges_.isLinear(left) || !ranges_.isLinear(right) || (isUnsigned && !(wanted && ranges_.isInvariant(right)))) {
        return false;
    }
    for (const Round round : {Round::kFirst, Round::kLast}) {
        const ValueId outcome = ranges_.compute(in.op, {ranges_.in(round, left), ranges_.in(round, right)});
        require(wanted ? outcome : ranges_.compute(Op::k_bool_not, {outcome}));
    }
    return true;
}

void StripBody::leaveUnless(const Instruction& guard) {
    canFail_ = true;
    region_.blocks.emplace_back();
    const auto next = static_cast<BlockId>(region_.blocks.size()) - 1;
    const ir::Target goOn = {.block = next, .arguments = {}};
    const ir::Target undo = {.block = copy_.blocks().undo, .arguments = {}};
    emit({.op = Op::k_branch, .operands = guard.operands});
    if (guard.op == Op::k_guard_true) {
        region_.blocks[at_].targets = {goOn, undo};
    } else {
        region_.blocks[at_].targets = {undo, goOn};
    }
    at_ = next;
}

// An int that must fit an element is cut to it: that tells LLVM what it is like, and where it did not fit, nobody sees it.
void StripBody::deferGuard(Instruction in) {
    canFail_ = true;
    in.snapshot = ir::kNoId;
    emit(in);
    if (in.op == Op::k_guard_fits) {
        const ValueId narrow = region_.newValue(ir::Type::kInt);
        ranges_.addVarying(narrow);
        const Instruction cut = {.op = Op::k_int_narrow, .type = ir::Type::kInt, .result = narrow, .immediate = in.immediate,
                                 .operands = in.operands};
        widths_.add(cut);
        emit(cut);
        if (own_.contains(in.operands[0])) {
            copy_.replace(in.operands[0], narrow);
        } else {
            narrowed_[in.operands[0]] = narrow;
        }
    }
}

// Whether no reference arrives there, whatever way control takes, if none does at those of the header's parameters that are added to `reached`.
bool StripBody::isUncounted(ValueId box, std::unordered_set<ValueId>& reached) const {
    box = copy_.of(box);
    if (uncounted_.contains(box) || !reached.insert(box).second || boxes_.contains(box)) {
        return true;
    }
    if (const Instruction* in = copy_.definition(box)) {
        return in->op == Op::k_float_box && isUncounted(in->operands[0], reached);
    }
    const std::vector<ValueId> arguments = copy_.argumentsOf(box);
    return !arguments.empty() && std::ranges::all_of(arguments, [&](ValueId argument) { return isUncounted(argument, reached); });
}

void StripBody::findBoxes() {
    for (const ir::Block& block : region_.blocks) {
        for (const Instruction& in : block.instructions) {
            if (in.op == Op::k_const_no_box || in.op == Op::k_const_box) {
                uncounted_.insert(in.result);
            }
        }
    }
    const std::vector<ValueId>& parameters = region_.blocks[copy_.blocks().header].parameters;
    for (size_t index = 0; index < copy_.entryParameters().size(); index++) {
        if (region_.valueTypes[parameters[index]] == ir::Type::kObject) {
            boxes_[parameters[index]] = copy_.entryParameters()[index];
        }
    }
    for (bool removed = true; removed;) {
        removed = false;
        for (size_t index = 0; index < copy_.entryParameters().size(); index++) {
            std::unordered_set<ValueId> reached;
            const ValueId next = region_.blocks[copy_.blocks().body.back()].parameters[index];
            removed = removed || (!isUncounted(next, reached) && boxes_.erase(parameters[index]) != 0);
        }
    }
}

bool StripBody::isBare(ValueId box) {
    std::unordered_set<ValueId> reached;
    if (!isUncounted(box, reached)) {
        return false;
    }
    for (const ValueId parameter : reached) {
        if (const auto found = boxes_.find(parameter); found != boxes_.end() && asked_.insert(parameter).second) {
            require(ranges_.compute(Op::k_is_null, {ranges_.compute(Op::k_counted, {found->second})}));
        }
    }
    return true;
}

// Counts that come to nothing: of boxes that are never counted, and of objects that the program holds meanwhile.
bool StripBody::rewriteReference(const Instruction& in) {
    switch (in.op) {
    case Op::k_incref_box:
    case Op::k_decref_box: return isBare(in.operands[0]) || held_.contains(in.operands[0]);
    case Op::k_counted:
        if (!isBare(in.operands[0])) {
            return false;
        }
        none_.insert(in.result);
        emit(in);
        return true;
    case Op::k_guard_displaced: return none_.contains(in.operands[0]);
    case Op::k_xdecref: return none_.contains(in.operands[0]) || held_.contains(in.operands[0]);
    case Op::k_incref:
    case Op::k_decref:
    case Op::k_decref_number:
    case Op::k_decref_held: return held_.contains(in.operands[0]);
    default: return false;
    }
}

void StripBody::findHeld(const std::vector<Instruction>& instructions) {
    std::unordered_map<ValueId, int> counts;
    std::unordered_set<ValueId> others;  // that are counted down first
    for (const Instruction& in : instructions) {
        const bool rises = in.op == Op::k_incref || in.op == Op::k_incref_box;
        const bool falls = in.op == Op::k_decref || in.op == Op::k_decref_box || in.op == Op::k_decref_number ||
                           in.op == Op::k_decref_held || in.op == Op::k_xdecref;
        if (rises || falls) {
            const ValueId object = of(in.operands[0]);
            counts[object] += rises ? 1 : -1;
            if (counts[object] < 0) {
                others.insert(object);
            }
        }
    }
    held_.clear();
    for (const auto& [object, count] : counts) {
        if (count == 0 && !others.contains(object) && ranges_.isInvariant(object)) {
            held_.insert(object);
        }
    }
}

// What underflows is no matter as long as NumPy ignores it, which does not change in a strip.
void StripBody::deferFlag(Instruction in) {
    if (static_cast<Underflow>(in.immediate) != Underflow::kNever && !ignoresUnderflow_) {
        ignoresUnderflow_ = true;
        require(ranges_.compute(Op::k_underflow_ignored, {}));
    }
    in.immediate = static_cast<int64_t>(Underflow::kNever);
    if (isMovable(in)) {
        hoist(in);
    } else if (floats_.needsGuard(in.operands[0])) {
        if (!floats_.tellsOfItselfAlone(in.operands[0])) {
            in.operands[1] = in.operands[2] = in.operands[0];
        }
        deferGuard(std::move(in));
    } else {
        canFail_ = true;
    }
}

bool StripBody::rewriteStore(const Instruction& in) {
    if (!ranges_.isInvariant(in.operands[0]) || !ranges_.isLinear(in.operands[1])) {
        return false;
    }
    const SavedStore store = {.data = in.operands[0], .first = ranges_.in(Round::kFirst, in.operands[1]),
                              .second = ranges_.in(Round::kSecond, in.operands[1]), .element = in.immediate, .blocks = {}, .isMarked = false};
    auto found = std::ranges::find_if(stores_, [&](const SavedStore& other) {
        return other.data == store.data && other.first == store.first && other.second == store.second;
    });
    found = found != stores_.end() ? found : stores_.insert(found, store);
    found->blocks.push_back(block_);
    mark(static_cast<size_t>(found - stores_.begin()));
    emit(in);
    return stores_.size() <= kMostSavedPlaces;
}

// The second part of a complex number, stored right behind the first one: both are saved as one element.
bool StripBody::joinsLastStore(const Instruction& in) {
    const std::vector<Instruction>& before = region_.blocks[at_].instructions;
    const Instruction* first = before.empty() || in.op != Op::k_store_element_float || before.back().op != in.op ? nullptr : &before.back();
    const Instruction* sum = first != nullptr ? copy_.definition(in.operands[1]) : nullptr;
    if (sum == nullptr || sum->op != Op::k_int_add_index || first->operands[0] != in.operands[0] || of(sum->operands[0]) != first->operands[1]) {
        return false;
    }
    const auto part = static_cast<Element>(in.immediate);
    const int64_t* apart = copy_.constant(of(sum->operands[1]));
    if (apart == nullptr || *apart != info(part).bytes || first->immediate != in.immediate) {
        return false;
    }
    const ValueId start = ranges_.in(Round::kFirst, first->operands[1]);
    const auto found = std::ranges::find_if(stores_, [&](const SavedStore& store) { return store.data == in.operands[0] && store.first == start; });
    found->element = static_cast<int64_t>(complexOf(part));
    emit(in);
    return true;
}

}  // namespace kiln::passes
