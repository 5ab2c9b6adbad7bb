// Loops inside of another one that had the same few rounds each time, as those over the rows and columns of a small filter: what the
// region does if they have as many again.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

using Numbers = std::vector<std::pair<ir::ValueId, int64_t>>;

// Values from before the header's loop that limit loops inside of it, with the numbers that they were each time.
Numbers findAssumedLimits(const ir::Region& region, ir::BlockId header);

// Which edges are taken if some values are these numbers, and what other values are then.
class AssumedPaths {
public:
    AssumedPaths(const ir::Region& region, const Numbers& numbers);
    bool isTaken(ir::BlockId from, size_t target) const { return !dead_.contains({from, target}); }
    const std::unordered_map<ir::ValueId, int64_t>& numbers() const { return numbers_; }

private:
    using Edge = std::pair<ir::BlockId, size_t>;

    bool settle();
    std::set<ir::BlockId> findReached() const;
    bool settleParameters(ir::BlockId block, const std::set<ir::BlockId>& reached);
    bool settleInstructions(ir::BlockId block);
    bool note(ir::ValueId value, int64_t number) { return numbers_.try_emplace(value, number).second; }

    const ir::Region& region_;
    std::unordered_map<ir::ValueId, int64_t> numbers_;
    std::vector<std::vector<Edge>> into_;  // by block
    std::set<Edge> dead_;
};

}  // namespace kiln::passes
