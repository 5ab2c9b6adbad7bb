// Proves of two ints of a region that one is at most the other, plus a constant.
#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "jit/ir/dominators.h"
#include "jit/ir/region.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {

// Stands for the number 0.
inline constexpr ir::ValueId kZero = ir::kNoId;

// low <= high + distance
struct Difference {
    ir::ValueId low = kZero;
    ir::ValueId high = kZero;
    int64_t distance = 0;

    auto operator<=>(const Difference&) const = default;
};

// Before an instruction of a block.
struct PlaceInRegion {
    ir::BlockId block = ir::kNoId;
    size_t index = 0;

    bool operator==(const PlaceInRegion&) const = default;
};

class DifferenceProver {
public:
    // The region must not change while it is asked about, but for guards that are taken away because they were proven to pass.
    explicit DifferenceProver(const ir::Region& region);

    // False where it is not known.
    bool holds(const Difference& difference, const PlaceInRegion& place);
    // The same of a place in a loop, with what must be true for it and is not known: differences between values that are defined in
    // no loop, before the place. They are added to `missing`.
    bool holdsIf(const Difference& difference, const PlaceInRegion& place, std::vector<Difference>& missing);
    // Whether a comparison of ints comes out that way.
    bool isKnown(ir::ValueId condition, bool outcome, const PlaceInRegion& place);
    // From now on it is known that one value is another, which dominates it.
    void identify(ir::ValueId value, ir::ValueId other) { same_.replace(value, other); }

    // Where a value is defined: behind which instruction. A parameter, at its block's beginning.
    PlaceInRegion placeBehind(ir::ValueId value) const;
    const ir::Instruction* definitionOf(ir::ValueId value) const;
    // Control may come back to the block.
    bool isInLoop(ir::BlockId block);
    const ir::Dominators& dominators() const { return dominators_; }

private:
    struct Definition {
        ir::BlockId block = ir::kNoId;
        size_t index = 0;  // of the parameter or instruction
        bool isParameter = false;
    };
    struct Fact {
        Difference difference;
        ir::ValueId nonNegative;  // only if this is; kZero: always
        PlaceInRegion from;
    };
    struct Question {
        Difference goal;
        PlaceInRegion place;
    };

    void collect(ir::BlockId block);
    void learn(ir::ValueId condition, bool outcome, const PlaceInRegion& from);
    void learnComparison(const ir::Instruction& in, bool outcome, const PlaceInRegion& from);
    void add(const Difference& difference, const PlaceInRegion& from, ir::ValueId nonNegative = kZero);

    bool prove(Difference goal);
    bool proveStep(const Difference& goal);
    bool proveFrom(const Difference& goal);
    bool proveByFacts(const Difference& goal);
    bool proveByLow(const Difference& goal, const ir::Instruction& in);
    bool proveByHigh(const Difference& goal, const ir::Instruction& in);
    bool proveByParameter(const Difference& goal, ir::ValueId parameter);
    bool proveOnEdges(const Difference& goal, ir::BlockId block);
    bool isAtLeast(ir::ValueId value, int64_t number) { return prove({kZero, value, -number}); }
    bool isAtMost(ir::ValueId value, int64_t number) { return prove({value, kZero, number}); }
    bool isExact(const ir::Instruction& in);
    bool isConstant(ir::ValueId value, int64_t& number) const;
    bool isNeverNegative(ir::ValueId value) const;
    bool applies(const Fact& fact) const;
    bool isBefore(ir::ValueId value, ir::BlockId block) const;
    bool mayAssume(const Difference& goal);
    ir::ValueId onEdge(ir::ValueId value, ir::BlockId block, const ir::Target& edge) const;

    const ir::Region& region_;
    ir::Dominators dominators_;
    std::vector<Definition> definitions_;
    std::vector<std::vector<std::pair<ir::BlockId, const ir::Target*>>> incoming_;
    std::unordered_map<ir::ValueId, std::vector<Fact>> byLow_;
    std::unordered_map<ir::ValueId, std::vector<Fact>> byHigh_;

    ValueReplacement same_;
    std::unordered_map<ir::BlockId, bool> inLoop_;

    PlaceInRegion place_;                // that is asked about now, and
    PlaceInRegion asked_;                // at first
    std::vector<Difference> open_;       // of parameters: asked for while it is being asked for
    std::vector<Difference> proven_;     // of parameters, at each entry of their block
    std::vector<Difference> failed_[2];  // likewise; without and with what may be missing
    std::vector<Difference>* missing_ = nullptr;
    std::vector<Question> questions_;  // from the one that was asked on
    int steps_ = 0;
};

}  // namespace kiln::passes
