// What ends a thread with an exception: raise, assert, and the checks of debug kernels.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// The thread ends with the exception where the condition, a bool, holds.
void raiseIf(FunctionBuilder& build, const Value& condition, const Node& node, const Exception& exception,
             const std::vector<ValueId>& operands);
// A name of the function's that no path to here assigns, in a branch that a program may never take: the thread that does ends with Python's
// error. Poison.
Value raiseUnassigned(FunctionBuilder& build, const Node& name);
// Of a divisor, in debug kernels and loops: numba's messages.
void checkDivisor(FunctionBuilder& build, const Node& node, const Value& divisor, const char* message);
// Under KILN_DEBUG and in loops: `position` is the index with what wraparound does to it.
void checkIndex(FunctionBuilder& build, const Node& node, const Value& array, int axis, const Value& index,
                const Value& position);
// They do something in debug kernels only, as in numba: elsewhere raise ends the thread, and assert is nothing.
void buildRaise(FunctionBuilder& build, const Node& node);
void buildAssert(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
