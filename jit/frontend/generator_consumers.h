// Calls of CPython's own that take all items of a generator, as sum() and any() do: its frame is taken in as by a loop
// (generator_values.h), and each `yield` is followed by what the call does with the item.
//
// While it runs, the caller's stack has two entries for the call's state below the generator, in place of what is called:
//   sum    the total, and of a float total its compensation
//   join   the list of the items so far, and the separator
//   list, set, sorted, tuple   the list of the items so far, and nothing
//   max, min   the best item so far, if there was one, and nothing
//   any, all   nothing, and nothing
// The interpreter has no such place. After an exit runtime/generator_consumers.h does the rest of the call.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// CALL of `callee` with a generator that exists as its parts only. False when it is not taken in: nothing was done.
bool callConsumer(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments);
// YIELD_VALUE in the frame of such a generator.
bool consumeItem(RegionBuilder& b, const BytecodeInstruction& in);
// What the call returns now that the generator, the innermost frame, returns what is on top of its stack; kNull: it raises.
AbstractValue resultOfConsumer(RegionBuilder& b);

}  // namespace kiln
