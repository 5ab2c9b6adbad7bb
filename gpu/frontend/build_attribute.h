// Attributes: of arrays, records, numbers, named tuples, modules and other objects, and those that programs register.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// threadIdx and its kin, and one of their parts.
bool isGeometry(const Value& value);
Value geometryPart(FunctionBuilder& build, const Value& value, uint32_t axis);
// base.name: poison after an error, which is also where there is no such attribute.
Value readAttribute(FunctionBuilder& build, const Node& node, const Value& base, const std::string& name);
// How many elements an array has: an int64.
Value sizeOf(FunctionBuilder& build, const Value& array);

}  // namespace kiln::gpu
