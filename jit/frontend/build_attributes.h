// Attributes: an instance's are loaded and stored where its class says they lie; a module's and a class's are constants.
#pragma once

#include "jit/frontend/attribute_access.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

// Makes an entry an object whose class is known and is one of the program's that may be relied on. With several observed,
// each but the last goes on in a block of its own. False when CPython must do the instruction.
bool knowClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& classes);
// Where an entry is an instance of one of the program's classes, the instruction is built again in a block of its own, one for each of
// them; from here on it is something else, for CPython to do, in the region. False where that can't be told.
bool splitOnClasses(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& classes);
// knowClass() of the top entry, by the receivers seen.
inline bool knowReceiver(RegionBuilder& b, const BytecodeInstruction& in) {
    return knowClass(b, in, 0, b.siteOf(in).receivers);
}
// The entry's class is the same wherever the object is.
void markClass(RegionBuilder& b, Id object, PyTypeObject* cls);
// The region is thrown away when the class changes.
void dependOn(RegionBuilder& b, PyTypeObject* cls);
// What instances find in the class by this name is a constant. The class tells of a change when the object may be gone
// already: the dict that holds it tells before.
void dependOnAttribute(RegionBuilder& b, PyTypeObject* cls, PyObject* name);
// The instance's value or member, borrowed from it; leaves where it has none.
Id loadOwn(RegionBuilder& b, Id object, const AttributeAccess& access);
// The instance becomes [method, self], as by the interpreter's own LOAD_ATTR.
void pushMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method);
// list.append of one argument; false for any other call.
bool callAppend(RegionBuilder& b, const BytecodeInstruction& in, int arguments);
// The top entry becomes `value`, which is borrowed from it: where the entry goes away here, the value needs a reference first. For a method
// call there is a NULL below it.
void pushLent(RegionBuilder& b, const BytecodeInstruction& in, Id value, bool method);

}  // namespace kiln
