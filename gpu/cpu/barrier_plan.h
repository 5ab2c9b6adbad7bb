// How a kernel with barriers becomes loops over the threads of a block.
//
// The IR is cut at barriers: what lies between two of them is a segment, one loop over all threads. Control flow with
// a barrier in it runs once for the block, outside these loops; where threads disagree about it, each has a flag that says
// whether it takes part. Values and variables that live from one segment to another have an array by thread, unless they
// are the same for all threads (then they are computed once) or cheap to compute again.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

class BarrierPlan {
   public:
       using Loops = std::unordered_set<const Instruction*>;
       // `cutLoops`: is cut at these loops as if they had a barrier in them. `isGroup`: then the threads are a group that differs in x only.
       explicit BarrierPlan(const Function& function, Loops cutLoops = {}, bool isGroup = true);

       bool hasBarriers() const { return hasBarriers_; }
       // A barrier, or control flow with one in it, or with a jump out of such control flow.
       bool isRegion(const Instruction& instruction) const { return regions_.count(&instruction) > 0; }
       // Computed once for the block: only instructions in the blocks of regions.
       bool isOnce(const Instruction& instruction) const { return once_.count(&instruction) > 0; }
       bool isOnce(ValueId value) const { return onceValues_[value]; }
       bool isOnceVariable(uint32_t variable) const { return onceVariables_[variable]; }
       // Threads may leave this loop in different passes.
       bool isDivergent(const Instruction& loop) const { return divergentLoops_.count(&loop) > 0; }
       bool hasContinue(const Instruction& loop) const { return continued_.count(&loop) > 0; }
       bool crosses(ValueId value) const { return crossing_[value]; }
       bool crossesVariable(uint32_t variable) const { return crossingVariables_[variable]; }
       // Computed again in each segment that uses it.
       bool isCheap(ValueId value) const { return cheap_[value]; }
       const Instruction* definition(ValueId value) const { return definitions_[value]; }
       bool hasReturns() const { return hasReturns_; }
       bool isGroup() const { return isGroup_; }
       // Whether all threads that begin this loop end it together. Where loops are cut.
       bool isWholeFor(const Instruction& loop) const { return isGroup_ && isUnbroken(loop) && !isDivergent(loop); }
       // No jump leaves it, and nothing else assigns its counter or reads it. Where loops are cut.
       bool isUnbroken(const Instruction& loop) const { return whole_.count(&loop) > 0; }

   private:
    void findWhole(const Block& block, std::vector<const Instruction*>& loops, std::vector<bool>& isOwn, Loops& broken);
    void decideOnce(const Function& function);
    bool findDivergent(const Block& block);
    void findRegions(const Block& block, std::vector<const Instruction*>& loops);
    void findUniform(const Block& block, bool uniform, std::vector<std::pair<const Instruction*, bool>>& loops);
    void decideUniform(const Instruction& instruction, bool uniform);
    void findOnce(const Block& block);
    bool mayBeOnce(const Instruction& instruction) const;
    void findSegments(const Block& block, bool inLoop);
    void visitUses(const Instruction& instruction, int segment, bool inLoop);
    void visitBlocks(const Instruction& instruction, int segment, bool inLoop);
    void noteVariable(uint32_t variable, int segment, bool inLoop);
    void findCheap(const Instruction& instruction);

    bool isCut(const Instruction& instruction) const;

    Loops cutLoops_;
    bool isGroup_;
    Loops whole_;  // where loops are cut: those that no jump leaves, and whose counters nothing else assigns or reads
    bool hasBarriers_ = false;
    bool hasReturns_ = false;
    bool changed_ = false;
    int segment_ = 0;
    std::unordered_set<const Instruction*> regions_;
    std::unordered_set<const Instruction*> once_;
    std::unordered_set<const Instruction*> divergentLoops_;
    std::unordered_set<const Instruction*> continued_;
    std::vector<bool> uniformValues_;
    std::vector<bool> uniformVariables_;
    std::vector<bool> onceValues_;
    std::vector<bool> onceVariables_;
    std::vector<bool> crossing_;
    std::vector<bool> crossingVariables_;
    std::vector<bool> cheap_;
    std::vector<int> segmentOfValue_;
    std::vector<int> segmentOfVariable_;
    std::vector<int> assignedIn_;  // the segment in which the variable has a value of that segment's, so far
    std::vector<bool> isExposed_;  // some segment reads what another one, or another pass over it, assigned
    std::vector<const Instruction*> definitions_;
};

// Whether calling this function may wait for other threads.
bool waits(const Function& function);

}  // namespace kiln::gpu
