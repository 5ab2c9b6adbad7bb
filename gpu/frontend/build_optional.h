// Optional values: what a name or a result is where it is None on some paths, and a value on others. They are kept, passed, returned and compared
// with None as they are; elsewhere they are their value.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value optional(Value isThere, Value value);
// Whether one value is None, or optional, and a variable may hold what the other one is.
bool formOptional(const Value& first, const Value& second);
// Of what forms an optional value: whether it is there, and the value; of None a constant and `other`'s value.
Value asOptional(const Value& value, const Value& other);
// What an optional value is where it is used: a None among debug kernels' ends the thread. Anything else as it is.
Value present(FunctionBuilder& build, const Node& node, const Value& value);
void makePresent(FunctionBuilder& build, const Node& node, std::vector<Value>& values);
// What names mean where a condition holds, or does not: an optional one that was compared with None is its value there, or None.
void narrow(FunctionBuilder& build, const Node& condition, bool holds);
// `value is None`
Value isAbsent(FunctionBuilder& build, const Value& value);
// Where one of both is optional: None is equal to None alone, and has no order.
Value compareOptionals(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);

}  // namespace kiln::gpu
