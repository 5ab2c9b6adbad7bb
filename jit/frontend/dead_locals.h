// Locals that compiled code does not read any more before it stores to them.
//
// Such a local keeps its value, and the object its reference, but it does not matter what it is. So the entry of a loop asks nothing
// of it, and where blocks meet, states that differ in such locals only share a version: there the local is of kind kAny, a box that may
// be none beside the bits of a number, so that numbers need no object.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// A loop is entered: numbers and None need no reference, and nothing to be asked where they are overwritten.
void enterDead(RegionBuilder& b, int slot, AbstractValue& entry);
// What it held moves into the region.
void takeDead(RegionBuilder& b, int slot, AbstractValue& entry);
// Nobody reads it before it is stored to, from the frame's next instruction on.
bool isDead(RegionBuilder& b, const AbstractState& state, size_t frame, size_t local);

struct DeadLocal {
    size_t frame;
    size_t slot;

    const AbstractValue& in(const AbstractState& state) const { return state.frames[frame].slots[slot]; }
};

// The locals that are dead and may be of kind kAny, in their order.
std::vector<DeadLocal> deadLocals(RegionBuilder& b, const AbstractState& state);
// It becomes one of kind kAny; `counted` as for asAny().
void becomeAny(RegionBuilder& b, AbstractState& state, const DeadLocal& local, bool counted);
// The same value as one of kind kAny; `counted`: where its box may be a reference.
AbstractValue asAny(RegionBuilder& b, const AbstractValue& value, bool counted);
// Before a version is made for `state`: where one differs from it in dead locals only, the state becomes that one, or both are of kind
// kAny from now on. Only the first round of a loop may have a version of its own: objects are given up faster where they are known.
void joinDeadLocals(RegionBuilder& b, AbstractState& state);

}  // namespace kiln
