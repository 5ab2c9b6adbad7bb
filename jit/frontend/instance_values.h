// Instances that compiled code makes, as long as nobody else can have them: their attributes are values like others, and no object is made.
//
// Names of one instance share its identity, and a store changes it under each. It becomes an object (`realize`) where one is needed: when it
// is stored, passed on or returned, at exits, and before other code runs, which could find it in a frame and change it.
#pragma once

#include "jit/frontend/attribute_access.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

// To make one of the class and to end it runs no code, and all of its attributes lie in the instance.
bool mayBeVirtual(PyTypeObject* cls);
// A new one without attributes.
AbstractValue virtualInstance(RegionBuilder& b, PyTypeObject* cls);
// A new one, or an object.
AbstractValue newInstance(RegionBuilder& b, PyTypeObject* cls, PyTypeObject* maker = &PyBaseObject_Type);
// The instance on top of the stack becomes its attribute, behind a NULL for a method call. False when it has none there.
bool loadPart(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access, bool method);
// Sets the attribute of the instance on top of the stack to the entry below, and drops both. False where only an object can have it: what is
// to be stored may be an object then.
bool storePart(RegionBuilder& b, const BytecodeInstruction& in, const AttributeAccess& access);
// A new object like it. Its parts are objects, if they are virtual objects with an identity that others share.
Id materializeInstance(RegionBuilder& b, const AbstractValue& value);

}  // namespace kiln
