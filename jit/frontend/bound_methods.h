// Methods as values: what an attribute or super() gives where it is not called at once. They are virtual, made of a function and an
// instance, until somebody needs an object.
#pragma once

#include <optional>

#include "jit/frontend/region_builder.h"

namespace kiln {

// The instance on top, or the class where `function` is a class method's, becomes the method that is bound to it.
void bindTop(RegionBuilder& b, const BytecodeInstruction& in, PyObject* function);
// [NULL, method] below the arguments becomes [function, instance]: of one that is virtual, known, or was seen to be one each time.
bool unbindMethod(RegionBuilder& b, int arguments, const Site& site);
// `entry` is a method that unbindMethod() unbinds without a guard: the function, and what it is bound to.
struct BoundParts {
    AbstractValue function;
    AbstractValue instance;
};
std::optional<BoundParts> partsOfMethod(const AbstractValue& entry);

}  // namespace kiln
