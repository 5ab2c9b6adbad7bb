// Python's functions of what can be gone through, and what is asked of types.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

struct Call;

// What can be called to make another value of the type; poison where there is nothing.
Value typeObject(const Type* type);
// Whether two objects that are known when a kernel is compiled are one, or name one type: int is numba's int64, as numpy.int64 is.
bool isSameObject(const Value& first, const Value& second);
// tuple * constant
Value repeatedTuple(FunctionBuilder& build, const Node& node, const Value& tuple, const Value& count);
// tuple.index(x), tuple.count(x)
Value callTupleMethod(FunctionBuilder& build, const Node& node, const Value& tuple, const std::string& name, const Value& item);
// Whether two arrays are one: of a type, a place and a shape. Poison for other values.
Value isSameArray(FunctionBuilder& build, const Value& first, const Value& second);
// max and min of an array of one dimension.
Value callExtremumOfArray(FunctionBuilder& build, const Call& call);

}  // namespace kiln::gpu
