// Attributes: of arrays, records, numbers, named tuples, modules and other objects, and those that programs register.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

bool isGeometry(const Value& value);
Value geometryPart(FunctionBuilder& build, const Value& value, uint32_t axis);
Value buildAttribute(FunctionBuilder& build, const Node& node);
Value readAttribute(FunctionBuilder& build, const Node& node, const Value& base, const std::string& name);
Value arrayAttribute(FunctionBuilder& build, const Value& array, const std::string& name, const Node& node);

}  // namespace kiln::gpu
