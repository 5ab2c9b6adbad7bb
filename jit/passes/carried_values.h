// Values that a loop's rounds hand on without a parameter, as its body was entered in its midst: what the header's round before made.
#pragma once

#include <set>
#include <vector>

#include "jit/ir/dominators.h"
#include "jit/ir/region.h"

namespace kiln::passes {

struct CarriedValue {
    ir::ValueId value;
    ir::ValueId parameter = ir::kNoId;  // of the header, which it becomes
};

// Those of the body's blocks that control has passed whenever it comes to the header.
std::vector<CarriedValue> findCarriedValues(const ir::Region& region, const ir::Dominators& dominators, ir::BlockId header,
                                            const std::set<ir::BlockId>& body);
// Makes them parameters of the header. False, and the region is as it was, where that would take other parameters too. Blocks that came
// behind the dominators pass them already.
bool carryValues(ir::Region& region, const ir::Dominators& dominators, ir::BlockId header, const std::vector<CarriedValue>& carried);

// Both, of a loop's blocks but for its header.
bool carryRoundBefore(ir::Region& region, ir::BlockId header, const std::set<ir::BlockId>& body);

}  // namespace kiln::passes
