// Floats that a strip's rounds hand on: chains whose flags can be asked for behind the last round, and extremes, which LLVM may
// compute in any order.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "jit/ir/region.h"
#include "jit/passes/strip_blocks.h"

namespace kiln::passes {

// The largest or smallest of what a parameter of the header was first and a term of each round.
struct Extreme {
    ir::ValueId parameter;  // of the header
    ir::ValueId first;      // what the header gets at first
    ir::ValueId term;
    ir::ValueId result;     // with this round's: what the header gets next
    ir::ValueId condition;  // compares the parameter with the term
    bool isSelect;          // of a float_select, whose result it is; else both meet behind a branch
    bool isLargest;
    bool keepsFirst;        // of equal numbers
};

class StripFloats {
public:
    StripFloats(ir::Region& region, LoopCopy& copy) : region_(region), copy_(copy) {}

    // Before anything of the copy is rewritten.
    void find();

    // Looks at a block before it is rewritten.
    void enter(const std::vector<ir::Instruction>& instructions);
    // Of a result in that block: whether its flags must be asked for there. If not, another guard or the end of the strip tells.
    bool needsGuard(ir::ValueId result);
    // Whether its guard tells of no other result, and the processor of its overflow: then an infinity that an operand was fails nothing.
    bool tellsOfItselfAlone(ir::ValueId result) const { return alone_.contains(result); }
    // Parameters of the header to be asked for at the end.
    const std::vector<ir::ValueId>& askedAtEnd() const { return askedAtEnd_; }

    const std::vector<Extreme>& extremes() const { return extremes_; }
    // The one that the instruction, a branch or a choice, decides on; nullptr of others.
    const Extreme* extremeOf(const ir::Instruction& in) const;

private:
    struct Edge {
        ir::BlockId from;
        const ir::Target* target;
    };

    void index();
    void findAlone(const std::vector<ir::Instruction>& instructions);
    bool carries(ir::ValueId value, ir::ValueId parameter) const;
    void handOn(ir::ValueId value, ir::ValueId parameter);
    void findExtreme(ir::ValueId parameter, ir::ValueId first, ir::ValueId next);
    bool findChoice(ir::ValueId next, Extreme& extreme, ir::ValueId arms[2]) const;
    ir::BlockId branchBehind(const Edge& edge, size_t& arm) const;
    bool compares(Extreme& extreme, const ir::ValueId arms[2]) const;
    int usesOf(ir::ValueId value) const;
    // The header's parameter that tells of the value at the end; kNoId if none does.
    ir::ValueId tellerOf(ir::ValueId value) const;

    ir::Region& region_;
    LoopCopy& copy_;
    std::vector<ir::BlockId> blocks_;  // of the copy: the header, the body, the latch
    std::unordered_map<ir::ValueId, ir::BlockId> homes_;
    std::unordered_map<ir::ValueId, size_t> places_;  // of parameters, in their block
    std::unordered_map<ir::BlockId, std::vector<Edge>> incoming_;
    std::unordered_map<ir::ValueId, ir::ValueId> handedOn_;  // if special, so is this parameter of the header from the next round on
    std::unordered_map<ir::ValueId, ir::ValueId> covered_;   // in the block at hand: by such a parameter, or kNoId, by a later guard
    std::unordered_set<ir::ValueId> alone_;                  // in that block
    bool losesFlags_ = false;                                // somewhere in the strip the processor's flags may be cleared
    std::vector<ir::ValueId> askedAtEnd_;
    std::vector<Extreme> extremes_;
};

}  // namespace kiln::passes
