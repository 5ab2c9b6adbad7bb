// How many bits an int of a strip can have, by what it is made of: an operation that stays within 64 has no overflow.
#pragma once

#include <unordered_map>

#include "jit/ir/region.h"

namespace kiln::passes {

class IntWidths {
public:
    // Learns the result's width. Operands come first.
    void add(const ir::Instruction& in);
    // What the caller sees to.
    void assume(ir::ValueId value, int width) { widths_[value] = width; }
    void assumeNumber(ir::ValueId value, int64_t number);
    // Bits with the sign, as two's complement; more than 64 where the exact result may not fit an int.
    int of(ir::ValueId value) const;

private:
    std::unordered_map<ir::ValueId, int> widths_;
};

}  // namespace kiln::passes
