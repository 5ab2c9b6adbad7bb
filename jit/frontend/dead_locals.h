// Locals that compiled code does not read any more before it stores to them.
//
// Such a local keeps its value, and the object its reference, but it does not matter what it is. So the entry of a loop asks nothing
// of it, and where blocks meet, states that differ in such locals only share a version: there the local is of kind kAny, a box that may
// be none beside the bits of a number, so that numbers need no object.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void enterDead(RegionBuilder& b, int slot, AbstractValue& entry);
void takeDead(RegionBuilder& b, int slot, AbstractValue& entry);
bool isDead(RegionBuilder& b, const AbstractState& state, size_t frame, size_t local);
std::vector<AbstractValue*> deadEntries(RegionBuilder& b, AbstractState& state);
StateKey liveKey(RegionBuilder& b, AbstractState& state);
AbstractValue asAny(RegionBuilder& b, const AbstractValue& value, bool counted);
void joinDeadLocals(RegionBuilder& b, AbstractState& state);

}  // namespace kiln
