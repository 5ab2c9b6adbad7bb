// Views of arrays: parts of them, with other axes, or of other elements, in the same memory.
#include "gpu/frontend/build_view.h"

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_index.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_operators.h"

namespace kiln::gpu {
namespace {

// One end of a slice, as Python's slice.indices() has it: negative ones count from the end, then the range is cut.
Value slicePart(FunctionBuilder& build, const Value& part, const Value& size, const Value& absent, const Value& least,
                const Value& most) {
    if (part.isNone()) {
        return absent;
    }
    Value position = convert(build, part, int64Type());
    ValueId first = build.use(position);
    Value from = build.emit(Op::kWrapIndex, int64Type(), {first, build.use(size)});
    return arithmetic(build, Op::kMinimum, arithmetic(build, Op::kMaximum, from, least), most);
}

}  // namespace

Value dimensionOf(FunctionBuilder& build, const Value& array, int axis) {
    return build.emit(Op::kDimension, int64Type(), {build.use(array)}, static_cast<uint32_t>(axis));
}

Value strideOf(FunctionBuilder& build, const Value& array, int axis) {
    return build.emit(Op::kStride, int64Type(), {build.use(array)}, static_cast<uint32_t>(axis));
}

void Axes::addWhole(FunctionBuilder& build, const Value& array, int axis) {
    starts.push_back(Value::integer(0));
    shape.push_back(dimensionOf(build, array, axis));
    strides.push_back(strideOf(build, array, axis));
}

Axes axesOf(FunctionBuilder& build, const Value& array) {
    Axes axes;
    for (int axis = 0; axis < array.type->ndim; axis++) {
        axes.addWhole(build, array, axis);
    }
    return axes;
}

Value makeView(FunctionBuilder& build, const Value& array, const Type* type, const Axes& axes, int64_t offset) {
    std::vector<ValueId> operands = {build.use(array)};
    for (const auto* list : {&axes.starts, &axes.shape, &axes.strides}) {
        for (const Value& value : *list) {
            operands.push_back(build.use(value));
        }
    }
    return build.emit(Op::kView, type, operands, 0, offset);
}

Value withLayout(FunctionBuilder& build, const Value& array, const Type* type) {
    if (array.type == type) {
        return array;
    }
    return makeView(build, array, type, axesOf(build, array));
}

Value transposed(FunctionBuilder& build, const Value& array) {
    Axes axes;
    for (int axis = array.type->ndim - 1; axis >= 0; axis--) {
        axes.addWhole(build, array, axis);
    }
    Layout layout = array.type->layout == Layout::kC   ? Layout::kF
                    : array.type->layout == Layout::kF ? Layout::kC
                                                       : Layout::kA;
    layout = array.type->ndim <= 1 ? array.type->layout : layout;
    return makeView(build, array,
                    arrayType(array.type->element, array.type->ndim, layout, array.type->space, array.type->readonly),
                    axes);
}

Value partsOf(FunctionBuilder& build, const Value& array, bool imaginary) {
    const Type* part = partType(array.type->element);
    const Type* type = arrayType(part, array.type->ndim, Layout::kA, array.type->space, array.type->readonly);
    return makeView(build, array, type, axesOf(build, array), imaginary ? part->bytes() : 0);
}

namespace {

// What a slice leaves of an axis.
void addSlice(FunctionBuilder& build, const Node& node, Axes& axes, const Value& array, int axis, const Value& slice) {
    Value size = dimensionOf(build, array, axis);
    Value step = slice.items[2].isNone() ? Value::integer(1) : slice.items[2];
    if (step.isConstant && step.bits == 0) {
        build.fail(node, "the step of a slice cannot be 0");
        return;
    }
    step = convert(build, step, int64Type());
    Value isDown = step.isConstant ? Value::constant(scalarType(Scalar::kBool), step.bits < 0)
                                   : compare(build, node, Op::kLess, step, Value::integer(0));
    auto either = [&](const Value& down, const Value& up) {
        return isDown.isConstant ? (isDown.bits != 0 ? down : up) : select(build, isDown, down, up);
    };
    Value last = arithmetic(build, Op::kSubtract, size, Value::integer(1));
    Value least = either(Value::integer(-1), Value::integer(0));
    Value most = either(last, size);
    Value start = slicePart(build, slice.items[0], size, either(last, Value::integer(0)), least, most);
    Value stop = slicePart(build, slice.items[1], size, either(Value::integer(-1), size), least, most);
    Value range = Value::ofKind(ValueKind::kRange);
    range.items = {start, stop, step};
    axes.shape.push_back(rangeLength(build, range));
    axes.strides.push_back(arithmetic(build, Op::kMultiply, strideOf(build, array, axis), step));
    axes.starts.push_back(start);
}

bool isWholeSlice(const Value& slice) {
    return slice.items[0].isNone() && slice.items[1].isNone() && slice.items[2].isNone();
}

}  // namespace

Value viewOf(FunctionBuilder& build, const Node& node, const Value& array, const std::vector<Value>& parts) {
    Axes axes;
    bool plain = array.type->layout == Layout::kC;  // still contiguous
    int axis = 0;
    for (const Value& part : parts) {
        if (part.isNone()) {  // a new axis
            axes.shape.push_back(Value::integer(1));
            axes.strides.push_back(Value::integer(0));
            plain = false;
            continue;
        }
        if (part.isScalar()) {
            axes.starts.push_back(wrappedIndex(build, node, array, axis, part));
            plain = plain && axes.shape.empty();
        } else if (isWholeSlice(part)) {
            axes.addWhole(build, array, axis);
        } else {
            const Value& step = part.items[2];
            plain = plain && axes.shape.empty() && (step.isNone() || (step.isConstant && step.bits == 1));
            addSlice(build, node, axes, array, axis, part);
            if (build.failed()) {
                return {};
            }
        }
        axis++;
    }
    for (; axis < array.type->ndim; axis++) {
        axes.addWhole(build, array, axis);
    }
    int ndim = static_cast<int>(axes.shape.size());
    if (ndim > kMaxDimensions) {
        return build.fail(node, "arrays have at most 8 dimensions in kernels");
    }
    const Type* type =
        arrayType(array.type->element, ndim, plain ? Layout::kC : Layout::kA, array.type->space, array.type->readonly);
    return makeView(build, array, type, axes);
}

// With the dimension that is -1 as what the others leave of `all` elements; which one it is, the kernel may know only when it runs.
static std::vector<Value> closedShape(FunctionBuilder& build, const Node& node, const std::vector<Value>& sizes, const Value& all) {
    Value none = Value::integer(0);
    Value known = Value::integer(1);
    std::vector<Value> isOpen;
    std::vector<Value> shape;
    for (const Value& size : sizes) {
        shape.push_back(convert(build, size, int64Type()));
        isOpen.push_back(size.isConstant ? Value::constant(scalarType(Scalar::kBool), size.bits == -1)
                                         : compare(build, node, Op::kLess, shape.back(), none));
        Value factor = !isOpen.back().isConstant ? select(build, isOpen.back(), Value::integer(1), shape.back())
                       : isOpen.back().bits != 0 ? Value::integer(1)
                                                 : shape.back();
        known = arithmetic(build, Op::kMultiply, known, factor);
    }
    for (size_t i = 0; i < sizes.size(); i++) {
        if (!isOpen[i].isConstant) {
            shape[i] = select(build, isOpen[i], arithmetic(build, Op::kFloorDivide, all, known), shape[i]);
        } else if (isOpen[i].bits != 0) {
            shape[i] = arithmetic(build, Op::kFloorDivide, all, known);
        }
    }
    return shape;
}

Value reshaped(FunctionBuilder& build, const Node& node, const Value& array, const std::vector<Value>& sizes) {
    if (array.type->layout != Layout::kC) {
        return build.fail(node, "reshape needs a contiguous array in kernels, and this is " + describe(array),
                          "UnsupportedError");
    }
    if (sizes.size() > kMaxDimensions) {
        return build.fail(node, "arrays have at most 8 dimensions in kernels");
    }
    Value all = sizeOf(build, array);
    for (const Value& size : sizes) {
        if (!size.isScalar() || !size.type->isInteger()) {
            return build.fail(node, "a dimension is an integer, and this is " + describe(size));
        }
    }
    Axes axes;
    axes.starts.assign(static_cast<size_t>(array.type->ndim), Value::integer(0));
    axes.shape = closedShape(build, node, sizes, all);
    axes.strides.resize(sizes.size());
    Value step = Value::integer(array.type->element->bytes());
    for (size_t i = sizes.size(); i-- > 0;) {
        axes.strides[i] = step;
        step = arithmetic(build, Op::kMultiply, step, axes.shape[i]);
    }
    if (build.module().debug) {
        Value product = Value::integer(1);
        for (const Value& size : axes.shape) {
            product = arithmetic(build, Op::kMultiply, product, size);
        }
        raiseIf(build, compare(build, node, Op::kNotEqual, product, all), node,
                {Ref<>::borrow(PyExc_ValueError),
                 Ref<>::steal(Py_BuildValue("(s)", "total size of new array must be unchanged")), "", 0},
                {});
    }
    const Type* type = arrayType(array.type->element, static_cast<int>(sizes.size()), Layout::kC, array.type->space,
                                 array.type->readonly);
    return makeView(build, array, type, axes);
}

}  // namespace kiln::gpu
