// Methods as values: what an attribute or super() gives where it is not called at once. They are virtual, made of a function and an
// instance, until somebody needs an object.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// The instance on top, or the class where `function` is a class method's, becomes the method that is bound to it.
void bindTop(RegionBuilder& b, const BytecodeInstruction& in, PyObject* function);
// [NULL, method] below the arguments becomes [function, instance]: of one that is virtual, known, or was seen to be one each time.
bool unbindMethod(RegionBuilder& b, int arguments, const Site& site);
// [NULL, method, items] and maybe names, where the items exist as their parts only, becomes [NULL, function, items], with the instance
// before the others.
void unbindSpread(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
