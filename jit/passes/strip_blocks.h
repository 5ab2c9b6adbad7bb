// The blocks around a strip, and the copy of the loop's own that the strip is made of.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "jit/ir/region.h"
#include "jit/passes/counted_loops.h"

namespace kiln::passes {

// By id. They stand at the end of the region: `entry` first, then the others, then the copies, then what copies are split into.
//
//     entry(p):   enough rounds left ? ask : the loop(p)
//     ask:        exact rounds left ? exact : check
//     exact:      one less; the loop(p)
//     check:      how many rounds; enough ? ranges : later
//     ranges:     what must be true in all of them; all good ? begin : later
//     later:      some exact rounds; the loop(p)
//     begin:      saves what will be overwritten; header(p, 0)
//     header(p, k): k rounds done ? end : the body's copy, which leads to undo, or to the latch
//     latch(p):   header(p, k + 1); the only way back, as LLVM's loops are
//     end:        deferred failure ? undo : done
//     undo:       puts the elements back; as many exact rounds; the loop(p)
//     done:       the loop(what the header has)
struct StripBlocks {
    ir::BlockId entry, exact, check, ranges, later, begin, end, undo, done, header;
    std::vector<ir::BlockId> body;  // in the order of the loop's, and the latch
};

// Copies the loop. Parameters that get one value in the copy are that value, and what nothing in it needs is left out.
class LoopCopy {
public:
    LoopCopy(ir::Region& region, const CountedLoop& loop);

    const StripBlocks& blocks() const { return blocks_; }
    const std::vector<ir::ValueId>& entryParameters() const { return region_.blocks[blocks_.entry].parameters; }
    // The round of the strip that the header is at, and its number of rounds, which `limit` gives once it is known.
    ir::ValueId round() const { return round_; }
    ir::ValueId nextRound() const { return nextRound_; }
    // What stands for a value of the loop, or of the copy, now.
    ir::ValueId of(ir::ValueId value) const;
    void replace(ir::ValueId value, ir::ValueId replacement);
    // Of the copy's instructions: the one that made this value; nullptr for a parameter, or what comes from outside.
    const ir::Instruction* definition(ir::ValueId value) const;
    // The number that a value is, if it is a constant.
    const int64_t* constant(ir::ValueId value) const;
    // What the header gets for its parameter from the body: kNoId where it may be several values.
    ir::ValueId fromBody(size_t parameter) const;
    // Of a parameter of the body's blocks: what it gets on each edge. None of other values.
    std::vector<ir::ValueId> argumentsOf(ir::ValueId parameter) const;
    // All values that the copy defines.
    const std::vector<ir::ValueId>& values() const { return values_; }
    // Takes all new blocks and values away again.
    void discard();
    // Leads all edges to the loop's header, but those of the new blocks, to the entry.
    void attach();

private:
    ir::BlockId addBlock();
    void copyBlock(ir::BlockId from, ir::BlockId to);
    std::vector<int64_t> countersOfRounds() const;
    bool countsRounds(int64_t counter) const;
    void makeLatch();
    ir::Target copyTarget(const ir::Target& target);
    ir::ValueId copyValue(ir::ValueId value);
    void mergeParameters();
    bool mergeParametersOf(ir::BlockId block);
    bool fixParameters();
    std::unordered_set<ir::ValueId> usedValues() const;
    void dropUnused();
    ir::ValueId soleArgument(ir::BlockId block, size_t index) const;

    ir::Region& region_;
    const CountedLoop& loop_;
    size_t valuesBefore_;
    size_t blocksBefore_;
    StripBlocks blocks_;
    ir::ValueId round_ = ir::kNoId;
    ir::ValueId nextRound_ = ir::kNoId;
    std::unordered_map<ir::ValueId, ir::ValueId> copies_;    // of the loop's values
    std::unordered_map<ir::ValueId, ir::ValueId> replaced_;  // of the copy's
    std::unordered_map<ir::ValueId, ir::Instruction> definitions_;
    std::unordered_map<ir::ValueId, int64_t> constants_;
    std::vector<ir::ValueId> values_;
    std::vector<int64_t> counters_;
};

}  // namespace kiln::passes
