// Subscripts: elements, views, items of tuples.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* int64() {
    return scalarType(Scalar::kInt64);
}

bool isWhole(const Value& value) {
    return value.isScalar() && (value.type->isInteger() || value.type->isBool());
}

bool isIndex(const Value& value) {
    if (value.kind != ValueKind::kSlice) {
        return isWhole(value);
    }
    for (const Value& part : value.items) {
        if (!isWhole(part) && !part.isNone()) {
            return false;
        }
    }
    return true;
}

// Scalars of one type, or tuples of such.
bool sameForm(const Value& first, const Value& second) {
    bool same = first.kind == second.kind && first.type == second.type && first.items.size() == second.items.size() &&
                (first.isScalar() || first.kind == ValueKind::kTuple);
    for (size_t i = 0; same && i < first.items.size(); i++) {
        same = sameForm(first.items[i], second.items[i]);
    }
    return same;
}

}  // namespace

bool FunctionBuilder::isOfOneType(const Value& tuple) {
    for (const Value& item : tuple.items) {
        if (!sameForm(item, tuple.items[0])) {
            return false;
        }
    }
    return !tuple.items.empty();
}

Value FunctionBuilder::dimension(const Value& array, int axis) {
    return emit(Op::kDimension, int64(), {use(array)}, static_cast<uint32_t>(axis));
}

Value FunctionBuilder::stride(const Value& array, int axis) {
    return emit(Op::kStride, int64(), {use(array)}, static_cast<uint32_t>(axis));
}

// Signed indices count from the end when they are negative.
Value FunctionBuilder::wrapped(const Node& node, const Value& array, int axis, const Value& index) {
    Value position;
    if ((index.isConstant && index.bits >= 0) || index.type->isBool()) {
        position = convert(index, int64());
    } else if (index.type->isUnsigned()) {
        position = convert(index, scalarType(Scalar::kUInt64));
    } else {
        ValueId first = use(convert(index, int64()));
        position = emit(Op::kWrapIndex, int64(), {first, use(dimension(array, axis))});
    }
    checkIndex(node, array, axis, index, position);
    return position;
}

// The indices of a subscript: scalars and slices, with an ellipsis spelled out.
bool FunctionBuilder::indices(const Node& node, const Value& array, const Value& index, std::vector<Value>& out) {
    std::vector<Value> given = index.kind == ValueKind::kTuple ? index.items : std::vector<Value>{index};
    size_t ndim = static_cast<size_t>(array.type->ndim);
    for (const Value& item : given) {
        bool isEllipsis = item.kind == ValueKind::kObject && item.object.get() == Py_Ellipsis;
        if (item.isPoison() || failed()) {
            return false;
        }
        if (isEllipsis) {
            Value all = Value::ofKind(ValueKind::kSlice);
            all.items = {Value::none(), Value::none(), Value::none()};
            out.insert(out.end(), ndim + 1 - std::min(ndim + 1, given.size()), all);
        } else if (isIndex(item)) {
            out.push_back(item);
        } else {
            fail(node, "an index is an integer or a slice, and this is " + describe(item));
            return false;
        }
    }
    if (out.size() > ndim) {
        fail(node, array.type->name + " has " + std::to_string(ndim) + " dimensions, and this index has " +
                       std::to_string(out.size()));
        return false;
    }
    return true;
}

// Of an access to one element: false when the index names a view, or after an error.
bool FunctionBuilder::elementIndices(const Node& node, const Value& array, const Value& index,
                                     std::vector<ValueId>& out) {
    std::vector<Value> parts;
    if (!indices(node, array, index, parts)) {
        return false;
    }
    bool isElement = parts.size() == static_cast<size_t>(array.type->ndim);
    for (const Value& part : parts) {
        isElement = isElement && part.isScalar();
    }
    for (size_t i = 0; isElement && i < parts.size(); i++) {
        out.push_back(use(wrapped(node, array, static_cast<int>(i), parts[i])));
    }
    return isElement;
}

// By constants, since a tuple's length is a part of its type.
Value FunctionBuilder::sliceTuple(const Node& node, const Value& tuple, const Value& slice) {
    Py_ssize_t parts[3] = {0, PY_SSIZE_T_MAX, 1};
    for (int i = 2; i >= 0; i--) {
        const Value& part = slice.items[static_cast<size_t>(i)];
        if (!part.isNone() && !(isWhole(part) && part.isConstant)) {
            return fail(node, "a slice of a tuple needs constants", "RequireLiteralValue");
        }
        bool isBackwards = i < 2 && parts[2] < 0;
        Py_ssize_t absent = !isBackwards ? parts[i] : i == 0 ? PY_SSIZE_T_MAX : PY_SSIZE_T_MIN;
        parts[i] = part.isNone() ? absent : static_cast<Py_ssize_t>(part.bits);
    }
    if (parts[2] == 0) {
        return fail(node, "slice step cannot be zero", "ValueError");
    }
    Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(tuple.items.size()), &parts[0], &parts[1], parts[2]);
    Value chosen = Value::tuple({});
    for (Py_ssize_t i = 0; i < count; i++) {
        chosen.items.push_back(tuple.items[static_cast<size_t>(parts[0] + i * parts[2])]);
    }
    return chosen;
}

Value FunctionBuilder::subscriptTuple(const Node& node, const Value& tuple, const Value& index) {
    int64_t size = static_cast<int64_t>(tuple.items.size());
    if (index.isScalar() && index.isConstant) {
        int64_t position = index.bits < 0 ? index.bits + size : index.bits;
        if (position < 0 || position >= size) {
            return fail(
                node, "index " + std::to_string(index.bits) + " is out of range for a tuple of " + std::to_string(size),
                "IndexError");
        }
        return tuple.items[static_cast<size_t>(position)];
    }
    if (index.kind == ValueKind::kSlice) {
        return sliceTuple(node, tuple, index);
    }
    if (!isWhole(index) || size == 0) {
        return fail(node, describe(index) + " cannot index " + describe(tuple));
    }
    Value chosen = tuple.items.back();
    if (!isOfOneType(tuple)) {
        return fail(node, "a tuple of different types needs a constant index; this is " + describe(tuple));
    }
    std::function<Value(const Value&, const Value&, const Value&)> either =
        [&](const Value& condition, const Value& then, const Value& otherwise) {
            if (then.isScalar()) {
                return select(condition, then, otherwise);
            }
            Value both = Value::tuple({});
            for (size_t i = 0; i < then.items.size(); i++) {
                both.items.push_back(either(condition, then.items[i], otherwise.items[i]));
            }
            return both;
        };
    Value position = convert(index, int64());
    if (module_.debug) {
        Value least = compare(node, Op::kLess, position, Value::integer(-size));
        Value outside = arithmetic(Op::kOr, least, compare(node, Op::kGreaterEqual, position, Value::integer(size)));
        raiseIf(
            outside, node,
            {Ref<>::borrow(PyExc_IndexError), Ref<>::steal(Py_BuildValue("(s)", "tuple index out of range")), "", 0},
            {});
    }
    for (int64_t i = size - 2; i >= 0; i--) {
        for (int64_t at : {i, i - size}) {
            Value isHere = compare(node, Op::kEqual, position, Value::integer(at));
            chosen = either(isHere, tuple.items[static_cast<size_t>(i)], chosen);
        }
    }
    return chosen;
}

// One end of a slice, as Python's slice.indices() has it: negative ones count from the end, then the range is cut.
Value FunctionBuilder::slicePart(const Value& part, const Value& size, const Value& absent, const Value& least,
                                 const Value& most) {
    if (part.isNone()) {
        return absent;
    }
    Value position = convert(part, int64());
    ValueId first = use(position);
    Value from = emit(Op::kWrapIndex, int64(), {first, use(size)});
    return arithmetic(Op::kMinimum, arithmetic(Op::kMaximum, from, least), most);
}

// The rest of the array behind integer indices and slices.
Value FunctionBuilder::view(const Node& node, const Value& array, const std::vector<Value>& parts) {
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    bool plain = array.type->layout == Layout::kC;  // still contiguous
    for (int axis = 0; axis < array.type->ndim; axis++) {
        bool given = static_cast<size_t>(axis) < parts.size();
        Value size = dimension(array, axis);
        if (given && parts[axis].isScalar()) {
            starts.push_back(wrapped(node, array, axis, parts[axis]));
            plain = plain && shape.empty();
            continue;
        }
        bool whole =
            !given || (parts[axis].items[0].isNone() && parts[axis].items[1].isNone() && parts[axis].items[2].isNone());
        if (whole) {
            starts.push_back(Value::integer(0));
            shape.push_back(size);
            strides.push_back(stride(array, axis));
            continue;
        }
        const Value& slice = parts[axis];
        Value step = slice.items[2].isNone() ? Value::integer(1) : slice.items[2];
        if (step.isConstant && step.bits == 0) {
            return fail(node, "the step of a slice cannot be 0");
        }
        step = convert(step, int64());
        Value isDown = step.isConstant ? Value::constant(scalarType(Scalar::kBool), step.bits < 0)
                                       : compare(node, Op::kLess, step, Value::integer(0));
        auto either = [&](const Value& down, const Value& up) {
            return isDown.isConstant ? (isDown.bits != 0 ? down : up) : select(isDown, down, up);
        };
        Value last = arithmetic(Op::kSubtract, size, Value::integer(1));
        Value least = either(Value::integer(-1), Value::integer(0));
        Value most = either(last, size);
        Value start = slicePart(slice.items[0], size, either(last, Value::integer(0)), least, most);
        Value stop = slicePart(slice.items[1], size, either(Value::integer(-1), size), least, most);
        Value range = Value::ofKind(ValueKind::kRange);
        range.items = {start, stop, step};
        plain = plain && shape.empty() && step.isConstant && step.bits == 1;
        shape.push_back(rangeLength(range));
        strides.push_back(arithmetic(Op::kMultiply, stride(array, axis), step));
        starts.push_back(start);
    }
    int ndim = static_cast<int>(shape.size());
    const Type* type =
        arrayType(array.type->element, ndim, plain ? Layout::kC : Layout::kA, array.type->space, array.type->readonly);
    return makeView(array, type, starts, shape, strides);
}

// `offset`: bytes from the beginning of the element at `starts`.
Value FunctionBuilder::makeView(const Value& array, const Type* type, const std::vector<Value>& starts,
                                const std::vector<Value>& shape, const std::vector<Value>& strides, int64_t offset) {
    std::vector<ValueId> operands = {use(array)};
    for (const auto* list : {&starts, &shape, &strides}) {
        for (const Value& value : *list) {
            operands.push_back(use(value));
        }
    }
    return emit(Op::kView, type, operands, 0, offset);
}

// The same array as one of a more general type.
Value FunctionBuilder::withLayout(const Value& array, const Type* type) {
    if (array.type == type) {
        return array;
    }
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = 0; axis < type->ndim; axis++) {
        starts.push_back(Value::integer(0));
        shape.push_back(dimension(array, axis));
        strides.push_back(stride(array, axis));
    }
    return makeView(array, type, starts, shape, strides);
}

Value FunctionBuilder::transposed(const Value& array) {
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = array.type->ndim - 1; axis >= 0; axis--) {
        starts.push_back(Value::integer(0));
        shape.push_back(dimension(array, axis));
        strides.push_back(stride(array, axis));
    }
    Layout layout = array.type->layout == Layout::kC   ? Layout::kF
                    : array.type->layout == Layout::kF ? Layout::kC
                                                       : Layout::kA;
    layout = array.type->ndim <= 1 ? array.type->layout : layout;
    return makeView(array,
                    arrayType(array.type->element, array.type->ndim, layout, array.type->space, array.type->readonly),
                    starts, shape, strides);
}

}  // namespace kiln::gpu
