// What is special, an infinity or nan, stays so through sums, differences and products. So of `s += x` the last s tells of all.
//
// The larger of two floats, neither of them nan, is the same in whatever order several are compared, but for the sign of a zero: of zeros,
// the first or the last one stays. That is seen at the end of the strip.
#include "jit/passes/strip_floats.h"

#include <algorithm>

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

bool passesOn(Op op) {
    return op == Op::k_float_add || op == Op::k_float_sub || op == Op::k_float_mul || op == Op::k_float_neg || op == Op::k_float_single;
}

bool isComparison(Op op) {
    return op == Op::k_float_lt || op == Op::k_float_le || op == Op::k_float_gt || op == Op::k_float_ge;
}

// A strip has no polls, and references that it counts are none, else it is not formed.
bool vanishes(const Instruction& in) {
    return in.op == Op::k_jump || in.op == Op::k_poll || in.op == Op::k_guard_displaced || in.op == Op::k_xdecref || in.op == Op::k_decref_box ||
           in.op == Op::k_incref_box || ir::info(in.op).effect == ir::Effect::kPure;
}

// Foreign code, and the call of NumPy's loops, may clear the processor's flags.
bool mayClearFlags(const Instruction& in) {
    return in.op == Op::k_numpy_unary || in.op == Op::k_numpy_binary || in.op == Op::k_math_unary || in.op == Op::k_math_binary ||
           in.op == Op::k_float_pow || in.op == Op::k_single_pow;
}

}  // namespace

void StripFloats::index() {
    blocks_ = {copy_.blocks().header};
    blocks_.insert(blocks_.end(), copy_.blocks().body.begin(), copy_.blocks().body.end());
    for (const BlockId block : blocks_) {
        const ir::Block& at = region_.blocks[block];
        for (size_t place = 0; place < at.parameters.size(); place++) {
            homes_[at.parameters[place]] = block;
            places_[at.parameters[place]] = place;
        }
        for (const Instruction& in : at.instructions) {
            homes_[in.result] = block;
            losesFlags_ = losesFlags_ || mayClearFlags(in);
        }
        for (const ir::Target& target : at.targets) {
            incoming_[target.block].push_back({block, &target});
        }
    }
}

void StripFloats::find() {
    index();
    const std::vector<ValueId> parameters = region_.blocks[copy_.blocks().header].parameters;
    for (size_t place = 0; place < copy_.entryParameters().size(); place++) {
        const ValueId parameter = parameters[place];
        const bool isOwn = region_.valueTypes[parameter] == ir::Type::kFloat && copy_.of(parameter) == parameter;
        const ValueId next = isOwn ? copy_.fromBody(place) : ir::kNoId;
        if (next == ir::kNoId || next == parameter) {
            continue;
        }
        if (carries(next, parameter)) {
            handOn(next, parameter);
        } else {
            findExtreme(parameter, copy_.entryParameters()[place], next);
        }
    }
}

// Special if the parameter is: on each way that a round may take.
bool StripFloats::carries(ValueId value, ValueId parameter) const {
    value = copy_.of(value);
    if (value == parameter) {
        return true;
    }
    if (const Instruction* in = copy_.definition(value); in != nullptr) {
        return passesOn(in->op) && std::ranges::any_of(in->operands, [&](ValueId operand) { return carries(operand, parameter); });
    }
    const auto place = places_.find(value);
    const auto home = homes_.find(value);
    if (place == places_.end() || home->second == copy_.blocks().header) {
        return false;
    }
    return std::ranges::all_of(incoming_.at(home->second),
                               [&](const Edge& edge) { return carries(edge.target->arguments[place->second], parameter); });
}

void StripFloats::handOn(ValueId value, ValueId parameter) {
    value = copy_.of(value);
    const auto place = places_.find(value);
    if (value == parameter || !handedOn_.try_emplace(value, parameter).second || place == places_.end()) {
        return;
    }
    for (const Edge& edge : incoming_.at(homes_.at(value))) {
        const ValueId argument = copy_.of(edge.target->arguments[place->second]);
        const auto home = homes_.find(argument);
        if (home != homes_.end() && home->second == edge.from && region_.blocks[edge.from].targets.size() == 1) {
            handOn(argument, parameter);
        }
    }
}

ValueId StripFloats::tellerOf(ValueId value) const {
    const auto found = handedOn_.find(value);
    return found != handedOn_.end() ? found->second : ir::kNoId;
}

// A sum, difference or product of an infinity or nan is one, and so is what it is rounded to: where its guard is deferred, that of its
// operands is not needed.
void StripFloats::enter(const std::vector<Instruction>& instructions) {
    covered_.clear();
    findAlone(instructions);
    std::unordered_map<ValueId, ValueId> seen;  // if they are special: by such a parameter, or kNoId, by a guard
    for (auto in = instructions.rbegin(); in != instructions.rend(); ++in) {
        if (in->op == Op::k_guard_no_flag) {
            seen.try_emplace(in->operands[0], tellerOf(in->operands[0]));
        }
        if (const ValueId teller = tellerOf(in->result); teller != ir::kNoId) {
            seen[in->result] = covered_[in->result] = teller;
        }
        const auto found = seen.find(in->result);
        if (found == seen.end() || !passesOn(in->op)) {
            continue;
        }
        const ValueId teller = found->second;
        for (const ValueId operand : in->operands) {
            seen.try_emplace(operand, teller);
            covered_.try_emplace(operand, teller);
        }
    }
}

// Sums, differences and products of an element, which no compiler knows, that come of no other result whose guard they stand for.
void StripFloats::findAlone(const std::vector<Instruction>& instructions) {
    alone_.clear();
    if (losesFlags_) {
        return;
    }
    std::unordered_set<ValueId> told;  // by the guard of whatever they pass on to
    std::unordered_set<ValueId> computed;
    for (const Instruction& in : instructions) {
        if (in.op == Op::k_guard_no_flag) {
            told.insert(in.operands[0]);
        } else if (passesOn(in.op)) {
            computed.insert(in.result);
        }
    }
    auto isElement = [&](ValueId value) {
        const Instruction* in = copy_.definition(copy_.of(value));
        return in != nullptr && in->op == Op::k_element_float;
    };
    for (const Instruction& in : instructions) {
        if (passesOn(in.op) && std::ranges::any_of(in.operands, [&](ValueId operand) { return told.contains(operand); })) {
            told.insert(in.result);
            computed.erase(in.result);
        } else if (in.op == Op::k_guard_no_flag && computed.contains(in.operands[0]) && (isElement(in.operands[1]) || isElement(in.operands[2]))) {
            alone_.insert(in.operands[0]);
        }
    }
}

bool StripFloats::needsGuard(ValueId result) {
    const auto found = covered_.find(result);
    if (found == covered_.end()) {
        return true;
    }
    if (found->second != ir::kNoId && std::ranges::find(askedAtEnd_, found->second) == askedAtEnd_.end()) {
        askedAtEnd_.push_back(found->second);
    }
    return false;
}

void StripFloats::findExtreme(ValueId parameter, ValueId first, ValueId next) {
    Extreme extreme = {.parameter = parameter, .first = first, .term = ir::kNoId, .result = next, .condition = ir::kNoId,
                       .isSelect = false, .isLargest = false, .keepsFirst = false};
    ValueId arms[2] = {ir::kNoId, ir::kNoId};
    if (!findChoice(next, extreme, arms) || !compares(extreme, arms)) {
        return;
    }
    // Nobody else sees what it is amid the strip.
    if (usesOf(parameter) != 2 || usesOf(extreme.condition) != 1 || usesOf(next) != 1) {
        return;
    }
    if (!extreme.isSelect) {
        extreme.result = region_.newValue(ir::Type::kFloat);
        copy_.replace(next, extreme.result);
    }
    extremes_.push_back(extreme);
}

// What is next where the condition holds, and where not.
bool StripFloats::findChoice(ValueId next, Extreme& extreme, ValueId arms[2]) const {
    if (const Instruction* in = copy_.definition(next); in != nullptr) {
        if (in->op != Op::k_float_select) {
            return false;
        }
        extreme.condition = copy_.of(in->operands[0]);
        extreme.isSelect = true;
        arms[0] = copy_.of(in->operands[1]);
        arms[1] = copy_.of(in->operands[2]);
        return true;
    }
    const auto place = places_.find(next);
    if (place == places_.end() || homes_.at(next) == copy_.blocks().header || incoming_.at(homes_.at(next)).size() != 2) {
        return false;
    }
    BlockId branch = ir::kNoId;
    for (const Edge& edge : incoming_.at(homes_.at(next))) {
        size_t arm = 0;
        const BlockId from = branchBehind(edge, arm);
        if (from == ir::kNoId || (branch != ir::kNoId && from != branch) || arms[arm] != ir::kNoId) {
            return false;
        }
        branch = from;
        arms[arm] = copy_.of(edge.target->arguments[place->second]);
    }
    extreme.condition = copy_.of(region_.blocks[branch].instructions.back().operands[0]);
    return true;
}

// The block whose branch leads to the edge, through blocks that do nothing else.
BlockId StripFloats::branchBehind(const Edge& edge, size_t& arm) const {
    Edge at = edge;
    auto doesNothing = [](const ir::Block& block) { return std::ranges::all_of(block.instructions, vanishes); };
    while (doesNothing(region_.blocks[at.from]) && incoming_.at(at.from).size() == 1) {
        at = incoming_.at(at.from)[0];
    }
    if (region_.blocks[at.from].instructions.back().op != Op::k_branch) {
        return ir::kNoId;
    }
    arm = static_cast<size_t>(at.target - region_.blocks[at.from].targets.data());
    return at.from;
}

bool StripFloats::compares(Extreme& extreme, const ValueId arms[2]) const {
    const Instruction* in = copy_.definition(extreme.condition);
    if (in == nullptr || !isComparison(in->op)) {
        return false;
    }
    const ValueId left = copy_.of(in->operands[0]);
    const ValueId right = copy_.of(in->operands[1]);
    const bool isFirst = left == extreme.parameter;
    extreme.term = isFirst ? right : left;
    const bool takesTerm = arms[0] == extreme.term;  // where the condition holds
    if (extreme.term == extreme.parameter || (left != extreme.parameter && right != extreme.parameter) ||
        arms[takesTerm ? 0 : 1] != extreme.term || arms[takesTerm ? 1 : 0] != extreme.parameter) {
        return false;
    }
    const bool isGreater = in->op == Op::k_float_gt || in->op == Op::k_float_ge;
    const bool isStrict = in->op == Op::k_float_gt || in->op == Op::k_float_lt;
    extreme.isLargest = (isGreater != isFirst) == takesTerm;
    extreme.keepsFirst = isStrict == takesTerm;
    return true;
}

int StripFloats::usesOf(ValueId value) const {
    int uses = 0;
    for (const BlockId block : blocks_) {
        for (const Instruction& in : region_.blocks[block].instructions) {
            uses += static_cast<int>(std::ranges::count_if(in.operands, [&](ValueId operand) { return copy_.of(operand) == value; }));
        }
        for (const ir::Target& target : region_.blocks[block].targets) {
            for (size_t place = 0; place < target.arguments.size(); place++) {
                // A parameter that is another value is not counted: only what that is used for.
                const ValueId parameter = target.block < copy_.blocks().header ? ir::kNoId : region_.blocks[target.block].parameters[place];
                uses += copy_.of(target.arguments[place]) == value && copy_.of(parameter) == parameter ? 1 : 0;
            }
        }
    }
    return uses;
}

const Extreme* StripFloats::extremeOf(const Instruction& in) const {
    const auto found = std::ranges::find_if(extremes_, [&](const Extreme& extreme) {
        return extreme.isSelect ? extreme.result == in.result : in.op == Op::k_branch && in.operands[0] == extreme.condition;
    });
    return found != extremes_.end() ? &*found : nullptr;
}

}  // namespace kiln::passes
