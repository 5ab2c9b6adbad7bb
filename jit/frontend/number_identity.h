// Which object a number is. A number taken out of an object stays that object while its value is not computed anew; one that was
// computed becomes an object when it first needs to be one, and is that one from then on, under each of its names.
//
// Only what the program can see is kept: where a slot is not identity-live (identity_liveness.h), the object is forgotten. Where
// blocks meet, a number that is seen crosses with its object, if it has one yet.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool isSeen(RegionBuilder& b, const AbstractFrame& frame, size_t slot);
bool isResultSeen(RegionBuilder& b, const BytecodeInstruction& in, int popped);
// The parameters of a native function that come with their objects: of these types, borrowed or NULL.
std::vector<int> boxedParameters(RegionBuilder& b, PyCodeObject* code, const std::vector<ir::Type>& types);
void forgetUnseen(RegionBuilder& b, AbstractFrame& frame);
void regret(RegionBuilder& b, const AbstractValue& number);
Id objectOf(RegionBuilder& b, AbstractValue& number);
Id takeReference(RegionBuilder& b, AbstractValue value);
Id takeBox(RegionBuilder& b, AbstractValue number);
Id boxFor(RegionBuilder& b, const AbstractValue& number);
Id constantBox(RegionBuilder& b, const AbstractValue& number);
bool isBareFloat(RegionBuilder& b, const AbstractValue& value);
AbstractValue sameNumber(RegionBuilder& b, const AbstractValue& number);
AbstractValue asInteger(RegionBuilder& b, const AbstractValue& value);
void carryNumbers(RegionBuilder& b);

}  // namespace kiln
