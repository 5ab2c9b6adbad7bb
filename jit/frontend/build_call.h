// CALL: what is called, inlining of small Python functions, and direct native calls.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void finishCall(RegionBuilder& b, const BytecodeInstruction& in, int popped, AbstractValue result);
bool shouldInline(RegionBuilder& b, const Callee& callee);
bool takesOnly(PyCodeObject* code, int count);
bool rebinds(RegionBuilder& b, PyCodeObject* code, int parameter);
bool endsArgument(RegionBuilder& b, PyCodeObject* code, const std::vector<AbstractValue>& bound);
void inlineCall(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called,
                std::vector<AbstractValue> bound, int popped, const CallRole& role = {});
AbstractState leaveToCallee(RegionBuilder& b, int popped);
void giveArgument(RegionBuilder& b, AbstractValue& argument, Id object, int popped, AbstractState& raised);

}  // namespace kiln
