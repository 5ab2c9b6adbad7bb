// What rounds hand on: sums of ints, which are taken to stay small, and extremes of floats.
#include <algorithm>

#include "jit/passes/strip_body.h"
#include "jit/strips.h"

namespace kiln::passes {

using ir::Instruction;
using ir::Op;
using ir::ValueId;

namespace {

constexpr int kBitsOfTerm = 40;
constexpr int kBitsOfSum = 60;

}  // namespace

void StripBody::findFloats() {
    floats_.find();
    for (const Extreme& extreme : floats_.extremes()) {
        ranges_.addVarying(extreme.result);
        require(ranges_.compute(Op::k_float_eq, {extreme.first, extreme.first}));
    }
}

// None of them is nan: else the strip fails.
void StripBody::takeExtreme(const Extreme& extreme) {
    const ValueId term = of(extreme.term);
    const ValueId isNumber = region_.newValue(ir::Type::kBool);
    ranges_.addVarying(isNumber);
    emit({.op = Op::k_float_eq, .type = ir::Type::kBool, .result = isNumber, .operands = {term, term}});
    deferGuard({.op = Op::k_guard_true, .operands = {isNumber}});
    emit({.op = extreme.isLargest ? Op::k_float_larger : Op::k_float_smaller, .type = ir::Type::kFloat, .result = extreme.result,
          .operands = {extreme.parameter, term}});
}

// The terms of a sum that is made of the parameter, in one round: on each way that it may take.
bool StripBody::findTerms(ValueId value, ValueId parameter, RunningSum& sum) const {
    constexpr size_t kMostTerms = 8;
    if (value == parameter || std::ranges::find(sum.merged, value) != sum.merged.end()) {
        return true;
    }
    if (const Instruction* in = copy_.definition(value); in != nullptr) {
        if (!(in->op == Op::k_int_add || in->op == Op::k_int_sub) || sum.terms.size() == kMostTerms) {
            return false;
        }
        sum.terms.push_back(copy_.of(in->operands[1]));
        return findTerms(copy_.of(in->operands[0]), parameter, sum);
    }
    sum.merged.push_back(value);
    const std::vector<ValueId> arguments = copy_.argumentsOf(value);
    return !arguments.empty() && std::ranges::all_of(arguments, [&](ValueId argument) { return findTerms(argument, parameter, sum); });
}

void StripBody::findSums() {
    const std::vector<ValueId>& parameters = region_.blocks[copy_.blocks().header].parameters;
    for (size_t index = 0; index < copy_.entryParameters().size(); index++) {
        const ValueId parameter = parameters[index];
        const bool isSum = region_.valueTypes[parameter] == ir::Type::kInt && !ranges_.isLinear(parameter);
        const ValueId next = isSum && copy_.of(parameter) == parameter ? copy_.fromBody(index) : ir::kNoId;
        RunningSum sum = {.first = copy_.entryParameters()[index], .terms = {}, .merged = {}};
        if (next != ir::kNoId && findTerms(next, parameter, sum) && !sum.terms.empty()) {
            widths_.assume(parameter, kBitsOfSum + 2);
            for (const ValueId merged : sum.merged) {
                widths_.assume(merged, kBitsOfSum + 2);
            }
            sums_.push_back(std::move(sum));
        }
    }
}

// What a strip adds is less than a sum of kBitsOfSum bits.
bool StripBody::sumsStaySmall() {
    static_assert(kStripRounds * 8 << kBitsOfTerm <= int64_t{1} << kBitsOfSum);
    for (const RunningSum& sum : sums_) {
        if (std::ranges::any_of(sum.terms, [&](ValueId term) { return widths_.of(of(term)) > kBitsOfTerm; })) {
            assumedTooMuch_ = true;
            return false;
        }
        const int64_t most = int64_t{1} << kBitsOfSum;
        require(ranges_.compute(Op::k_int_lt, {sum.first, ranges_.constant(most)}));
        require(ranges_.compute(Op::k_int_gt, {sum.first, ranges_.constant(-most)}));
    }
    return true;
}

}  // namespace kiln::passes
