// Subscripts: elements, views, items of tuples.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Signed indices count from the end when they are negative.
Value wrappedIndex(FunctionBuilder& build, const Node& node, const Value& array, int axis, const Value& index);
// Of a tuple that is not empty: whether a variable can stand for any of its items.
bool isOfOneType(const Value& tuple);
// The indices of a subscript: scalars and slices, with an ellipsis spelled out. False after an error.
bool indicesOf(FunctionBuilder& build, const Node& node, const Value& array, const Value& index,
               std::vector<Value>& out);
// Of an access to one element: false when the index names a view, or after an error.
bool elementIndices(FunctionBuilder& build, const Node& node, const Value& array, const Value& index,
                    std::vector<ValueId>& out);
// An item, or, by a slice, a tuple.
Value subscriptTuple(FunctionBuilder& build, const Node& node, const Value& tuple, const Value& index);

}  // namespace kiln::gpu
