// Operands of arithmetic and comparisons that are objects of unknown class.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Where only numbers were seen, the two operands become numbers, in a way of its own for each combination of classes: `build` builds the
// instruction in all but the last, which goes on from here. An operand stays the object that it was.
void tellNumbers(RegionBuilder& b, const BytecodeInstruction& in, bool (*build)(RegionBuilder&, const BytecodeInstruction&));

}  // namespace kiln
