// CALL: what is called, inlining of small Python functions, and direct native calls.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The topmost entries are gone, and the result is in their place, which gets their references to what it is or has in it.
void replaceTop(RegionBuilder& b, int popped, AbstractValue result);
// The call's operands are gone; its result is pushed, which gets their references to what it is or has in it, and the frame goes on.
void finishCall(RegionBuilder& b, const BytecodeInstruction& in, int popped, AbstractValue result);
// Small functions whose recorded path needs no frame of their own.
bool shouldInline(RegionBuilder& b, const Callee& callee);
// `count` positional parameters and no others.
bool takesOnly(PyCodeObject* code, int count);
// True when the function may end what was passed for a parameter before it returns.
bool rebinds(RegionBuilder& b, PyCodeObject* code, int parameter);
// A class lends its __init__ the arguments, and so does an operator; an inlined callee takes them. True when that could tell.
bool endsArgument(RegionBuilder& b, PyCodeObject* code, const std::vector<AbstractValue>& bound);
// Arguments that the callee borrows: they stay on the caller's stack.
std::vector<AbstractValue> lent(std::vector<AbstractValue> arguments);
// The callee goes on in a frame of its own, whose locals are `bound`. The call takes `popped` entries.
void inlineCall(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called,
                std::vector<AbstractValue> bound, int popped, const CallRole& role = {});
// Takes a call's operands off the stack. The state in which an exception leaves, with those that the callee does not take.
AbstractState leaveToCallee(RegionBuilder& b, int popped);
// The callee takes a reference to the object that the argument is: the stack's, unless another entry lives on that. As in CPython,
// so that a callee that sets its parameter may end the object.
void giveArgument(RegionBuilder& b, AbstractValue& argument, Id object, int popped, AbstractState& raised);

// Functions whose calls run as frames of their own, from start to end.
bool isPlainFunction(const PyCodeObject* code);
// The frame that waits for a call of compiled code is made real only where somebody looks. The names' version.
Id beforeNativeCall(RegionBuilder& b, const BytecodeInstruction& in);
// A direct call of a compiled function; false when there is none for these argument classes. The call takes `popped` entries off the
// stack, of which the last `arguments` are bound to the parameters as in `bound`.
bool nativeCall(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called, std::vector<AbstractValue> bound, int arguments,
                int popped);

}  // namespace kiln
