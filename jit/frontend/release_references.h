// References that an instruction gives up. The last one of an object may run Python code: a finaliser, the callback of a weak
// reference, whatever a C class does. Such code sees frames and names, and may change whatever the region takes for granted.
//
// So a guard at the instruction's start, while nothing has taken effect yet, asks whether what would end runs code, and then
// leaves: CPython does the instruction. At a place that leaves so often, and after opaque operations, the references are given up
// while the activation waits, as if by a callee.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The entry is gone from the state. What it holds is given up at the instruction's end, by giveUp(); while a callee runs,
// at once.
void release(RegionBuilder& b, AbstractValue value);
// Pops and releases so many entries, as CPython in the order of their pushing.
void releaseTop(RegionBuilder& b, int count);
// The same of what somebody else holds now.
void releaseHeld(RegionBuilder& b, AbstractValue value);
// Before a store into the object it can't be told what ends with it, if it ends with the instruction: somebody else must hold it, too.
bool endsAfterStore(const AbstractValue& object);
// Somebody else holds it, too: it does not end when the instruction gives it up. Leaves before the instruction otherwise.
void guardShared(RegionBuilder& b, Id object, ExitReason reason);
// Of a store by a helper into what is `below` the top, which takes these operands: the same, where the stack holds it. One operand more asks
// that what is displaced leads to no other holder. releaseKept() gives it up.
void guardKept(RegionBuilder& b, int below, ir::Operands& operands);
void releaseKept(RegionBuilder& b, AbstractValue value);
// Of a store of `value` into the container, both popped: leaves before the instruction where what it displaces, or the container, may run
// code as it ends. A bare float's store asks by itself about what it displaces.
void guardExchange(RegionBuilder& b, Id displaced, const AbstractValue& value, AbstractValue& container);
// Behind it, and before the store, which does not leave any more. What is left is to be released behind the store.
AbstractValue giveUpContainer(RegionBuilder& b, AbstractValue container);
// A reference that is given up at the instruction's end.
void letGo(RegionBuilder& b, Id object, bool any = false);
// The instruction is done but for what it gives up, and the state is the one after it.
void giveUp(RegionBuilder& b);
// Never NULL: of a box that is none, None.
Id referenceIn(RegionBuilder& b, const GivenUp& given);
// True when what the instruction being built gives up ran Python code before.
bool givesUpToCallees(RegionBuilder& b);
// Leaves before the instruction where its store would end an object whose end may run Python code.
inline void guardDisplaced(RegionBuilder& b, Id object) {
    b.emitExiting(ir::Op::k_guard_displaced, {object}, ExitReason::k_release);
}
// Nothing of the instruction has taken effect so far: `before()` holds here.
void startHere(RegionBuilder& b);
// The same, and what leaves or forks from here on repeats the instruction, with the KW_NAMES before it if there is one.
void repeatFromHere(RegionBuilder& b);
// What is released inside is given up while the activation waits, where any Python code may run: see suspend().
void asCallee(RegionBuilder& b, int next, const std::function<void()>& body);

}  // namespace kiln
