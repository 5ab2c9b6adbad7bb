#include "jit/passes/strip_ranges.h"

#include <utility>

namespace kiln::passes {
namespace {

using ir::Op;
using ir::ValueId;

// The op that finds an overflow. Those known not to have one are known so for the rounds that the program runs, and others are
// asked for here.
Op checkedForm(Op op) {
    switch (op) {
    case Op::k_int_add_index:
    case Op::k_int_add_wrap: return Op::k_int_add;
    case Op::k_int_sub_wrap: return Op::k_int_sub;
    case Op::k_int_mul_index: return Op::k_int_mul;
    default: return op;
    }
}

}  // namespace

StripRanges::Form& StripRanges::at(ValueId value) {
    if (static_cast<size_t>(value) >= forms_.size()) {
        forms_.resize(static_cast<size_t>(value) + 1);
    }
    return forms_[static_cast<size_t>(value)];
}

bool StripRanges::addLinear(const ir::Instruction& in) {
    const Op op = checkedForm(in.op);
    bool grows = false;
    if (op == Op::k_int_add || op == Op::k_int_sub) {
        grows = isLinear(in.operands[0]) && isLinear(in.operands[1]);
    } else if (op == Op::k_int_mul) {
        grows = isLinear(in.operands[0]) && isLinear(in.operands[1]) &&
                (isInvariant(in.operands[0]) || isInvariant(in.operands[1]));
    } else if (op == Op::k_int_neg) {
        grows = isLinear(in.operands[0]);
    }
    if (grows) {
        at(in.result) = {.kind = Kind::kLinear, .computed = in};
        at(in.result).computed.op = op;
    }
    return grows;
}

ValueId StripRanges::in(Round round, ValueId value) {
    const Kind kind = kindOf(value);
    if (kind == Kind::kInvariant) {
        return value;
    }
    const std::pair key(round, value);
    if (const auto found = known_.find(key); found != known_.end()) {
        return found->second;
    }
    const Form form = at(value);
    ValueId result = form.first;
    if (kind == Kind::kLinear) {
        ir::Operands operands;
        for (const ValueId operand : form.computed.operands) {
            operands.push_back(in(round, operand));
        }
        result = compute(form.computed.op, std::move(operands));
    } else if (round != Round::kFirst) {
        const ValueId change = round == Round::kLast ? compute(Op::k_int_mul, {steps_, form.step}) : form.step;
        result = compute(Op::k_int_add, {form.first, change});
    }
    known_[key] = result;
    return result;
}

ValueId StripRanges::hoist(const ir::Instruction& in) {
    const bool isKnownToFit = in.op == Op::k_int_add_index || in.op == Op::k_int_mul_index;
    return compute(isKnownToFit ? checkedForm(in.op) : in.op, in.operands, in.immediate);
}

ValueId StripRanges::compute(Op op, ir::Operands operands, int64_t immediate) {
    const auto [known, isNew] = computed_.try_emplace({op, immediate, operands}, ir::kNoId);
    if (!isNew) {
        return known->second;
    }
    const ir::Type type = ir::typeOfLetter(ir::info(op).result);
    const ValueId result = type != ir::Type::kNone ? region_.newValue(type) : ir::kNoId;
    known->second = result;
    region_.blocks[check_].instructions.push_back(
        {.op = op, .type = type, .result = result, .immediate = immediate, .operands = std::move(operands)});
    return result;
}

}  // namespace kiln::passes
