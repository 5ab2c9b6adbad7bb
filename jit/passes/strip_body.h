// What a loop's instructions become in its strip.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "jit/ir/region.h"
#include "jit/passes/int_widths.h"
#include "jit/passes/strip_blocks.h"
#include "jit/passes/strip_floats.h"
#include "jit/passes/strip_ranges.h"

namespace kiln::passes {

// What the strip stores to: an element in each round.
struct SavedStore {
    ir::ValueId data;    // invariant
    ir::ValueId first;   // the offset in the first round, and
    ir::ValueId second;  // in the second; it grows evenly
    int64_t element;
    std::vector<ir::BlockId> blocks;  // in which it is stored
    bool isMarked = false;            // in some rounds only, which are marked
};

// A parameter of the header that each round adds to, or takes from.
struct RunningSum {
    ir::ValueId first;  // what the header gets at first
    std::vector<ir::ValueId> terms;
    std::vector<ir::ValueId> merged;  // parameters of the body's blocks: the sum so far
};

class StripBody {
public:
    StripBody(ir::Region& region, LoopCopy& copy, StripRanges& ranges, int64_t marks);

    // Looks for boxes of numbers that have none from the second round on: the strip begins where they have none.
    void findBoxes();
    // Looks for sums that the rounds add to, and takes them to stay small. Whether they do, rewrite() sees.
    void findSums();
    // Looks for what rounds hand on of floats.
    void findFloats();
    const StripFloats& floats() const { return floats_; }
    bool assumedTooMuch() const { return assumedTooMuch_; }
    // Moves what is invariant, and has no effect, from this block to the check block.
    void hoistFrom(ir::BlockId block);
    // Rewrites the header's copy and the body's. False when the loop does something that a strip does not: the copy is spoilt.
    bool rewrite();

    // This must be true for the strip to begin: a value of the check block.
    void require(ir::ValueId condition) { requirements_.push_back(condition); }
    const std::vector<ir::ValueId>& requirements() const { return requirements_; }
    // Whether the strip may fail once it has begun. Then its stores are made in every round, or marked: what is put back is nobody else's.
    bool canFail() const { return canFail_; }
    const std::vector<SavedStore>& stores() const { return stores_; }
    // Indices that would count from the end where they are negative, and grow evenly: by one, where a strip that begins later helps.
    const std::vector<ir::ValueId>& risingIndices() const { return risingIndices_; }
    // Blocks are split at guards that are not deferred: the one that the block's end is in.
    ir::BlockId lastOf(ir::BlockId block) const;

private:
    bool rewriteBlock(ir::BlockId block);
    bool rewrite(ir::Instruction in);
    void hoist(ir::Instruction in);
    bool isMovable(const ir::Instruction& in) const;
    bool rewriteArithmetic(const ir::Instruction& in);
    bool rewriteDivision(ir::Instruction in);
    bool rewriteSelect(const ir::Instruction& in);
    bool rewriteGuard(const ir::Instruction& in);
    bool requireAtEnds(const ir::Instruction& in, bool wanted);
    void leaveUnless(const ir::Instruction& guard);
    void deferGuard(ir::Instruction in);
    void deferFlag(ir::Instruction in);
    void takeExtreme(const Extreme& extreme);
    bool findTerms(ir::ValueId value, ir::ValueId parameter, RunningSum& sum) const;
    bool sumsStaySmall();
    bool isUncounted(ir::ValueId box, std::unordered_set<ir::ValueId>& reached) const;
    bool isBare(ir::ValueId box);
    bool rewriteReference(const ir::Instruction& in);
    void findHeld(const std::vector<ir::Instruction>& instructions);
    bool isInEachRound(const std::vector<ir::BlockId>& blocks) const;
    ir::ValueId marksOf(size_t place);
    void mark(size_t place);
    bool settleMarks();
    bool rewriteStore(const ir::Instruction& in);
    bool joinsLastStore(const ir::Instruction& in);
    void emit(ir::Instruction in);
    void emitPlain(ir::Instruction in);
    ir::ValueId of(ir::ValueId value) const;

    ir::Region& region_;
    LoopCopy& copy_;
    StripRanges& ranges_;
    const int64_t marks_;                      // address; 0: none
    std::unordered_set<ir::BlockId> always_;   // of the copy: run in each round
    ir::BlockId block_ = ir::kNoId;  // of the copy: the one at hand
    ir::BlockId at_ = ir::kNoId;     // the part of it that is being written
    bool canFail_ = false;
    std::vector<ir::ValueId> requirements_;
    std::vector<SavedStore> stores_;
    std::vector<ir::ValueId> risingIndices_;
    std::unordered_map<ir::BlockId, ir::BlockId> last_;
    std::unordered_set<ir::ValueId> constantObjects_;
    std::unordered_set<ir::ValueId> held_;     // in the block at hand: objects that are counted up, and down again behind that
    std::unordered_map<ir::ValueId, ir::ValueId> boxes_;  // of the header's parameters, those that the body gives no reference: by what it gets first
    std::unordered_set<ir::ValueId> uncounted_;           // boxes that are constants
    std::unordered_set<ir::ValueId> asked_;               // of the parameters: the strip asks before it begins
    std::unordered_set<ir::ValueId> none_;     // references that such boxes are
    bool ignoresUnderflow_ = false;
    IntWidths widths_;
    StripFloats floats_;
    std::vector<RunningSum> sums_;
    bool assumedTooMuch_ = false;
    std::unordered_set<ir::ValueId> own_;  // results of the block at hand: what a guard in it says of them holds wherever they are used
    std::unordered_map<ir::ValueId, ir::ValueId> narrowed_;  // of others: in the block at hand, behind the guard that says it fits
};

}  // namespace kiln::passes
