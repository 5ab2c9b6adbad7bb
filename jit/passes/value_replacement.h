// Values to be replaced by other values, collected first and applied to the whole region at once.
#pragma once

#include <vector>

#include "jit/ir/region.h"

namespace kiln::passes {

class ValueReplacement {
public:
    explicit ValueReplacement(const ir::Region& region) : replacements_(region.valueTypes.size(), ir::kNoId) {}

    // From now on `value` stands for `replacement`, whose definition dominates all uses of `value`.
    void replace(ir::ValueId value, ir::ValueId replacement) { replacements_[value] = find(replacement); }
    // What `value` finally stands for.
    ir::ValueId find(ir::ValueId value);
    bool replaced(ir::ValueId value) const { return replacements_[value] != ir::kNoId; }
    // Rewrites operands, block arguments and snapshots; definitions stay.
    void apply(ir::Region& region);

private:
    std::vector<ir::ValueId> replacements_;
};

}  // namespace kiln::passes
