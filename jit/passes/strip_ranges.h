// Which values of a strip are the same in each of its rounds, and which grow by the same number from one to the next.
//
// What such a value is in the first and in the last round is computed before the strip begins, in a check block: all it is in
// between lies between these two. An overflow there is a deferred failure, and then the strip does not begin.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

class StripRanges {
public:
    enum class Round { kFirst, kSecond, kLast };

    // `check` dominates the strip.
    StripRanges(ir::Region& region, ir::BlockId check) : region_(region), check_(check) {}
    // The number of the strip's rounds less one.
    void setSteps(ir::ValueId steps) { steps_ = steps; }
    // From now on it is this block, which the one so far dominates.
    void goOnIn(ir::BlockId check) { check_ = check; }

    // From now on `value` is one of the strip, of which nothing is known; what was never added is invariant.
    void addVarying(ir::ValueId value) { at(value) = {Kind::kVarying}; }
    // A parameter of the strip's header that grows by `step`, with `first` in the first round: both invariant.
    void addCounter(ir::ValueId value, ir::ValueId first, ir::ValueId step) { at(value) = {Kind::kCounter, first, step, {}}; }
    // The instruction's result is a sum, difference, product or negation that grows evenly, if its operands do. False if not.
    bool addLinear(const ir::Instruction& in);

    bool isInvariant(ir::ValueId value) const { return kindOf(value) == Kind::kInvariant; }
    // Invariant or growing evenly.
    bool isLinear(ir::ValueId value) const { return kindOf(value) != Kind::kVarying; }
    // Of a linear value: a value of the check block.
    ir::ValueId in(Round round, ir::ValueId value);

    // Adds to the check block: what an op gives there, a guard among them deferred. The same again is the same value.
    ir::ValueId compute(ir::Op op, ir::Operands operands, int64_t immediate = 0);
    ir::ValueId constant(int64_t number) { return compute(ir::Op::k_const_int, {}, number); }
    // An instruction of the strip whose operands are invariant, moved to the check block: what its result is there, kNoId without one.
    // Nothing is known there of what it computes with.
    ir::ValueId hoist(const ir::Instruction& in);

private:
    enum class Kind : uint8_t { kInvariant, kVarying, kCounter, kLinear };
    struct Form {
        Kind kind = Kind::kInvariant;
        ir::ValueId first = ir::kNoId;
        ir::ValueId step = ir::kNoId;
        ir::Instruction computed = {};  // kLinear
    };

    Kind kindOf(ir::ValueId value) const {
        return static_cast<size_t>(value) < forms_.size() ? forms_[static_cast<size_t>(value)].kind : Kind::kInvariant;
    }
    Form& at(ir::ValueId value);

    ir::Region& region_;
    ir::BlockId check_;
    ir::ValueId steps_ = ir::kNoId;
    std::vector<Form> forms_;
    std::map<std::pair<Round, ir::ValueId>, ir::ValueId> known_;
    std::map<std::tuple<ir::Op, int64_t, ir::Operands>, ir::ValueId> computed_;
};

}  // namespace kiln::passes
