// Stores into parts of NumPy's arrays: one number for all elements, or what another array or a part of one has.
#pragma once

#include "jit/frontend/numpy_values.h"

namespace kiln {

// The entry `below` the top is something that such a store may be of, as far as is known: a number, or an array, of which the layout
// becomes known.
bool mayBeStored(RegionBuilder& b, const BytecodeInstruction& in, int below);
// Stores it. Leaves where NumPy would warn or raise. False where only NumPy can do it.
bool storePart(RegionBuilder& b, const BytecodeInstruction& in, const KnownArray& part, int below);

}  // namespace kiln
