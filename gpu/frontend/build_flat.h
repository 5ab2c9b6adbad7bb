// Arrays gone through in C's order, whatever their axes: flat, numpy.ndenumerate, numpy.ndindex.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// `x.flat`: an array of one dimension where there is one in the same memory, else a value of kind kFlat.
Value flatOf(FunctionBuilder& build, const Node& node, const Value& array);
// The indices of the element, or place, at an int64 position of a kFlat or kPlaces that is in range.
Value placeAt(FunctionBuilder& build, const Value& iterable, const Value& position);
// How many there are of a kFlat or kPlaces.
Value countOf(FunctionBuilder& build, const Value& iterable);
// The indices of `flat[index]`, where negative ones count from the end; debug runs check them.
Value flatIndex(FunctionBuilder& build, const Node& node, const Value& flat, const Value& index);

}  // namespace kiln::gpu
