// Which object a number is. A number taken out of an object stays that object while its value is not computed anew; one that was
// computed becomes an object when it first needs to be one, and is that one from then on, under each of its names.
//
// Only what the program can see is kept: where a slot is not identity-live (identity_liveness.h), the object is forgotten. Where
// blocks meet, a number that is seen crosses with its object, if it has one yet.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Before the frame's next instruction.
bool isSeen(RegionBuilder& b, const AbstractFrame& frame, size_t slot);
// Of an instruction for which `popped` entries go and one comes.
bool isResultSeen(RegionBuilder& b, const BytecodeInstruction& in, int popped);
// The parameters of a native function that come with their objects: of these types, borrowed or NULL.
std::vector<int> boxedParameters(RegionBuilder& b, PyCodeObject* code, const std::vector<ir::Type>& types);
// The frame's numbers whose objects nobody can see any more.
void forgetUnseen(RegionBuilder& b, AbstractFrame& frame);
// The same of its first `count` slots.
void forgetUnseen(RegionBuilder& b, AbstractFrame& frame, size_t count);
// An object was asked for that had been forgotten: the next attempt, and all later ones, will keep it.
void regret(RegionBuilder& b, const AbstractValue& number);
// The object of a number that is no entry of the state any more, or of a second name for one; `number.owned` tells whether it holds
// a reference, before and afterwards.
Id objectOf(RegionBuilder& b, AbstractValue& number);
// Of the topmost entries: a number that another entry is, too, becomes an object, so that who gets it may give that very number back.
// True when there was one.
bool makeSharedObjects(RegionBuilder& b, int count);
// A reference to what a popped entry is, for somebody who takes it.
Id takeReference(RegionBuilder& b, AbstractValue value);
// The same of a number, where it has an object yet.
Id takeBox(RegionBuilder& b, AbstractValue number);
// What a callee borrows beside the number.
Id boxFor(RegionBuilder& b, const AbstractValue& number);
// Of a number: the constant that it is, or none.
Id constantBox(RegionBuilder& b, const AbstractValue& number);
// Nobody can tell the object that it becomes from another.
bool isBareFloat(RegionBuilder& b, const AbstractValue& value);
// A second name for a number, for a result that takes its place.
AbstractValue sameNumber(RegionBuilder& b, const AbstractValue& number);
// A bool becomes the int; an int is sameNumber().
AbstractValue asInteger(RegionBuilder& b, const AbstractValue& value);
// The state crosses into a block where others may come from: each number that is seen has its own reference to its object, if any.
void carryNumbers(RegionBuilder& b);

}  // namespace kiln
