// Attributes: an instance's are loaded and stored where its class says they lie; a module's and a class's are constants.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

bool knowClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& classes);
inline bool knowReceiver(RegionBuilder& b, const BytecodeInstruction& in) {
    return knowClass(b, in, 0, b.siteOf(in).receivers);
}
void markClass(RegionBuilder& b, Id object, PyTypeObject* cls);
void dependOn(RegionBuilder& b, PyTypeObject* cls);
void dependOnAttribute(RegionBuilder& b, PyTypeObject* cls, PyObject* name);
void pushMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method);
bool callAppend(RegionBuilder& b, const BytecodeInstruction& in, int arguments);

}  // namespace kiln
