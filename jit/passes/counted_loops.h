// Innermost loops whose rounds a counter limits.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

// The header compares one of its parameters with a limit and goes on into the body while that holds. All of the body leads back to
// the header, or out of the region through cold blocks. Other blocks may enter in its midst.
struct CountedLoop {
    ir::BlockId header = ir::kNoId;
    ir::Target inside;              // how the header goes on into the body
    std::vector<ir::BlockId> body;  // each behind those that lead to it; the header is not among them

    bool contains(ir::BlockId block) const;
};

// Of a well-formed region. Whether the parameter counts, the caller must see.
std::vector<CountedLoop> findCountedLoops(const ir::Region& region);
// What lies between the header's way into its loop and its return to the header, however many loops are inside. `isTaken`: of a block and
// one of its targets; without it all are.
std::set<ir::BlockId> blocksBackTo(const ir::Region& region, ir::BlockId header, const std::function<bool(ir::BlockId, size_t)>& isTaken = nullptr);
// The program leaves compiled code there.
bool leavesRegion(const ir::Region& region, ir::BlockId block);
// A value that the body uses before it computes it is that of the round before: entered in its midst, the loop needs no parameter
// for it. A copy that is entered at the header would.
bool usesRoundBefore(const ir::Region& region, const CountedLoop& loop);
// The comparison that decides at the header: of ints.
const ir::Instruction* comparisonOf(const ir::Region& region, ir::BlockId header);
// Those that must hold together, as of a loop over several arrays; none where anything else decides.
std::vector<const ir::Instruction*> comparisonsOf(const ir::Region& region, ir::BlockId header);

}  // namespace kiln::passes
