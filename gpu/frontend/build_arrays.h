// Loops over the elements of arrays, and views of them.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Calls body(indices) for all elements, the last index fastest.
void forElements(FunctionBuilder& build, const Value& array,
                 const std::function<void(const std::vector<Value>&)>& body);
// The element at these indices, which are in bounds.
Value loadAt(FunctionBuilder& build, const Value& array, const std::vector<Value>& indices);
void storeAt(FunctionBuilder& build, const Value& array, const std::vector<Value>& indices, const Value& value);
// A variable of the front end's own, with a first value; what it gets is converted to that one's type.
uint32_t accumulator(FunctionBuilder& build, const Value& first);
Value getVariable(FunctionBuilder& build, uint32_t slot);
void setVariable(FunctionBuilder& build, uint32_t slot, const Value& value);
// False after an error. All elements of the target become the value, or those of an array of the same shape, or of one with fewer axes.
bool assignElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value);
// target += value and its kin, in the target's memory. Only what its elements can hold as they are asked to by NumPy.
void augmentElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value);

}  // namespace kiln::gpu
