// Abstract values: stack entries, who owns a reference, boxing, and narrowing to the classes observed.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool transferOwnership(AbstractState& state, Id value);
AbstractValue virtualObject(RegionBuilder& b, Kind kind, std::vector<AbstractValue> parts);
void realize(RegionBuilder& b, AbstractState& state, AbstractValue value);
// gives it references of its own
void own(RegionBuilder& b, AbstractValue& entry);
inline void ownTop(RegionBuilder& b) { own(b, b.top()); }
// Native operations know it; every other class is just an object.
bool isNativeClass(PyTypeObject* cls);
AbstractValue copyOf(const AbstractValue& value);
// Turns the entry `below` the top into an owned object entry, in `before_` as well, and gives its reference.
Id boxEntry(RegionBuilder& b, int below);
// the topmost likewise, appended in the order of their pushing
void boxTop(RegionBuilder& b, int count, std::vector<Id>& operands);
Id boxed(RegionBuilder& b, const AbstractValue& value, bool& fresh);
Id asInt(RegionBuilder& b, const AbstractValue& value);
Id asFloat(RegionBuilder& b, const AbstractValue& value);
// Pushes an object result, refined to the classes observed at this instruction; continues at `next`.
void pushResult(RegionBuilder& b, Id value, bool owned, PyTypeObject* cls, const BytecodeInstruction& in, int next);
// Pops an index and its container, and pushes the item, which is borrowed from the container.
void pushBorrowedItem(RegionBuilder& b, const BytecodeInstruction& in, Id item);
void refineTop(RegionBuilder& b, const Site& site, int next);
void refineTop(RegionBuilder& b, const Site& site, const std::function<void()>& onward);
// bool value; kNoId when it must go through CPython
Id truth(RegionBuilder& b, const AbstractValue& value);

}  // namespace kiln
