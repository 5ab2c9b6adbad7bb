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
// False, after an error, where the value cannot be assigned to the array, or joined to it: it may be a scalar, or an array with as many
// axes or fewer.
bool mayFill(FunctionBuilder& build, const Node& node, const Value& target, const Value& value);
// For each axis of an array that goes together with another: 0 where it has one element for all of the other's, else 1.
using Stretches = std::vector<Value>;
// Loops of the program's have the shapes checked, and raise where they differ; kernels have neither, and get none.
Stretches stretchesOf(FunctionBuilder& build, const Node& node, const Value& target, const Value& value);
// What the value has for the target's element at these indices.
Value loadStretched(FunctionBuilder& build, const Value& value, const Stretches& stretches, const std::vector<Value>& at);
// False after an error. All elements of the target become the value, or those of an array of the same shape, or of one with fewer axes,
// as if it were copied first; its axes of one element are stretched. Arrays that overlap and go through memory in different ways, and
// other shapes, end the thread with an error.
bool assignElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value);
// target += value and its kin, in the target's memory. Only what its elements can hold as they are asked to by NumPy.
void augmentElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value);

}  // namespace kiln::gpu
