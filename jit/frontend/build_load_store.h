// Locals, constants, globals, namespace variables, and moving things about on the operand stack.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void prepareNames(RegionBuilder& b);
AbstractValue constantValue(RegionBuilder& b, PyObject* object);
AbstractValue heldConstant(RegionBuilder& b, AbstractValue constant);
AbstractValue asObject(RegionBuilder& b, const AbstractValue& constant);
void settle(RegionBuilder& b, int below);
void leaveToDict(RegionBuilder& b, AbstractValue& value, bool atEnd);
PyObject* constantName(RegionBuilder& b, PyObject* dict, PyObject* key);

}  // namespace kiln
