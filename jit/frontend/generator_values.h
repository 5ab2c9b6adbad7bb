// Generators that exist as their frames only (Kind::kGenerator): the loop over one takes its frame in as that of an inlined callee,
// which each `yield` puts back. What is made inside of compiled code, and ends there, never becomes an object.
#pragma once

#include "jit/frontend/called_function.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

// Functions whose generators can be: they delegate to no other.
bool isPlainGenerator(RegionBuilder& b, PyCodeObject* code);
// A virtual generator is given up amid its work. One that would run code then, in a `finally` or `with`, must not be virtual: the
// attempt is doomed.
void mustEnd(RegionBuilder& b, const AbstractValue& generator);
// Where the frame of one that waits goes on: behind RESUME, which nobody records.
int unitBehind(const Bytecode& bytecode, const AbstractValue& generator);
// Pops the call's entries and pushes the generator. False when the function's generators are not taken in: nothing was done.
bool makeGenerator(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called,
                   std::vector<AbstractValue>& bound, int popped);
// Whether it is a generator whose frame can go on now.
bool mayResume(RegionBuilder& b, const AbstractValue& value);
// The one on top, which may, goes on for this consumer. `exhausted`: where the frame goes on afterwards.
void resumeFor(RegionBuilder& b, Consumer consumer, int exhausted);
// The innermost frame, a generator's, waits at its `yield`, which has taken the item.
void suspendGenerator(RegionBuilder& b, const BytecodeInstruction& in);
// FOR_ITER over the one on top: its frame goes on. False when it can't be.
bool resumeGenerator(RegionBuilder& b, const BytecodeInstruction& in);
// The innermost frame, a generator's, has returned what is on top of its stack.
void endGenerator(RegionBuilder& b);
// The object of one that waits and has none; a new reference.
Id materializeGenerator(RegionBuilder& b, const AbstractValue& generator);

// ---- the operand stack of a loop as it is entered: one that exists already, and that nobody else has
// What the slot is entered as: an object, where its generator can't be taken in.
AbstractValue enterableGenerator(RegionBuilder& b, const AbstractValue& expected);
// Guards that `object` is it, as enterObject() does.
void enterGenerator(RegionBuilder& b, Id object, AbstractValue& value);
// All guards have passed: its frame moves into the region.
void takeGenerator(RegionBuilder& b, AbstractValue& value);

}  // namespace kiln
