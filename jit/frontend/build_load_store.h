// Locals, constants, globals, namespace variables, and moving things about on the operand stack.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The namespace variables that the region stores to, loaded and guarded at its entry. The region holds the numbers that it finds until
// it is left, so that their boxes need no counting: most variables are computed soon and have none.
void prepareNames(RegionBuilder& b);
// A constant in its native form, where it has one.
AbstractValue constantValue(RegionBuilder& b, PyObject* object);
// A constant for an entry that may outlive what holds it: the class of an instance that is given up, a function that
// returns. The collector could clear it, with all that only refers to each other, before anything tells of its end.
AbstractValue heldConstant(RegionBuilder& b, AbstractValue constant);
// A constant of which it only matters what class it is of, if native code knows that.
AbstractValue asObject(RegionBuilder& b, const AbstractValue& constant);
// A local that the compiler made, such as the iterator of a generator expression: it is read once.
bool isUnnamed(const PyCodeObject* code, int slot);
// Before an entry gets a lasting place: a virtual object that has one already becomes real. So does an iterator, which
// moves on wherever it is held.
void settle(RegionBuilder& b, int below);
// The value of a variable, which the dict has: the region's reference goes, at the instruction's end where foreign code runs
// before that.
void leaveToDict(RegionBuilder& b, AbstractValue& value, bool atEnd);
// The value of a name that may be taken for constant, behind a watcher; nullptr otherwise. Borrowed.
PyObject* constantName(RegionBuilder& b, PyObject* dict, PyObject* key);

}  // namespace kiln
