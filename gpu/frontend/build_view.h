// Views of arrays: parts of them, with other axes, or of other elements, in the same memory.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Where a view begins, by the axes of its array, and its own axes; strides in bytes.
struct Axes {
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;

    // An axis of the array from its beginning to its end.
    void addWhole(FunctionBuilder& build, const Value& array, int axis);
};

Value dimensionOf(FunctionBuilder& build, const Value& array, int axis);
Value strideOf(FunctionBuilder& build, const Value& array, int axis);
// All axes, whole.
Axes axesOf(FunctionBuilder& build, const Value& array);
// `offset`: bytes from the beginning of the element at the axes' starts.
Value makeView(FunctionBuilder& build, const Value& array, const Type* type, const Axes& axes, int64_t offset = 0);
// The same array as one of a more general type.
Value withLayout(FunctionBuilder& build, const Value& array, const Type* type);
Value transposed(FunctionBuilder& build, const Value& array);
// The real or imaginary parts of an array of complex numbers.
Value partsOf(FunctionBuilder& build, const Value& array, bool imaginary);
// The rest of the array behind integer indices and slices.
Value viewOf(FunctionBuilder& build, const Node& node, const Value& array, const std::vector<Value>& parts);
// reshape(sizes), one of which may be the constant -1. Contiguous arrays only.
Value reshaped(FunctionBuilder& build, const Node& node, const Value& array, const std::vector<Value>& sizes);

}  // namespace kiln::gpu
