// Abstract values: stack entries, who owns a reference, boxing, and narrowing to the classes observed.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Gives ownership to another entry of the same object, a number's too, if there is one that needs it.
bool transferOwnership(AbstractState& state, Id value);
// A new object that exists as its parts only; the parts' references are its own.
AbstractValue virtualObject(RegionBuilder& b, Kind kind, std::vector<AbstractValue> parts);
// Makes a virtual tuple or range real in every entry that is this object; in `before()` as well, so that an exit hands the
// very same object to the interpreter, and returns it. Does nothing to other entries (kNoId).
Id realize(RegionBuilder& b, AbstractState& state, AbstractValue value);
// Before other code runs, which may ask for objects, or for who holds them, and change them: all views and instances of the state become
// objects, and iterators over them.
void realizeChangeable(RegionBuilder& b);
// Gives it references of its own.
void own(RegionBuilder& b, AbstractValue& entry);
inline void ownTop(RegionBuilder& b) { own(b, b.top()); }
// Native operations know it; every other class is just an object.
bool isNativeClass(PyTypeObject* cls);
// A second entry for a value: an alias where the value is an object.
AbstractValue copyOf(const AbstractValue& value);
// Turns the entry `below` the top into an owned object entry, in `before()` as well, and gives its reference.
Id boxEntry(RegionBuilder& b, int below);
// The topmost likewise, appended in the order of their pushing.
void boxTop(RegionBuilder& b, int count, ir::Operands& operands);
// A reference to the value as an object; `fresh` when it is a new one that the caller must give up.
Id boxed(RegionBuilder& b, const AbstractValue& value, bool& fresh);
// A new object that `helper` makes of `operands` and then the value's parts, as objects that it borrows.
Id objectOfParts(RegionBuilder& b, const AbstractValue& value, Helper helper, ir::Operands operands);
// Of a number, or a NumPy scalar; asInt: of an int or bool.
Id asInt(RegionBuilder& b, const AbstractValue& value);
Id asFloat(RegionBuilder& b, const AbstractValue& value);
// Pushes an object result, refined to the classes observed at this instruction; continues at `next`.
void pushResult(RegionBuilder& b, Id value, bool owned, PyTypeObject* cls, const BytecodeInstruction& in, int next);
// Pops an index and its container, and pushes the item, which is borrowed from the container.
void pushBorrowedItem(RegionBuilder& b, const BytecodeInstruction& in, Id item);
// The top entry is an object result of the instruction at `site`: guards the classes observed there. With several, each
// goes on in a block of its own: `onward` ends that one, and not at the place of the guards. States that share a place may
// forget the class, and would ask for it for ever.
void refineTop(RegionBuilder& b, const Site& site, int next);
void refineTop(RegionBuilder& b, const Site& site, const std::function<void()>& onward);
// Bool value; kNoId when it must go through CPython.
Id truth(RegionBuilder& b, const AbstractValue& value);

}  // namespace kiln
