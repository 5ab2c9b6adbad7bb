// What ops a region is made of.
#pragma once

#include <algorithm>

#include "jit/ir/region.h"

namespace kiln::passes {

inline bool has(const ir::Region& region, ir::Op op) {
    return std::ranges::any_of(region.blocks, [&](const ir::Block& block) {
        return std::ranges::find(block.instructions, op, &ir::Instruction::op) != block.instructions.end();
    });
}

// Reads or writes an element of an array.
inline bool isElement(ir::Op op) {
    return op == ir::Op::k_element_int || op == ir::Op::k_element_float || op == ir::Op::k_store_element_int || op == ir::Op::k_store_element_float;
}

}  // namespace kiln::passes
