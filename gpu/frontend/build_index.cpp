// Subscripts: elements, views, items of tuples.
#include "gpu/frontend/build_index.h"

#include <algorithm>

#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_view.h"

namespace kiln::gpu {
namespace {

bool isWhole(const Value& value) {
    return value.isScalar() && (value.type->isInteger() || value.type->isBool());
}

bool isIndex(const Value& value) {
    if (value.kind != ValueKind::kSlice) {
        return isWhole(value) || value.isNone();
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

// By constants, since a tuple's length is a part of its type.
Value sliceTuple(FunctionBuilder& build, const Node& node, const Value& tuple, const Value& slice) {
    Py_ssize_t parts[3] = {0, PY_SSIZE_T_MAX, 1};
    for (int i = 2; i >= 0; i--) {
        const Value& part = slice.items[static_cast<size_t>(i)];
        if (!part.isNone() && !(isWhole(part) && part.isConstant)) {
            return build.fail(node, "a slice of a tuple needs constants", "RequireLiteralValue");
        }
        bool isBackwards = i < 2 && parts[2] < 0;
        Py_ssize_t absent = !isBackwards ? parts[i] : i == 0 ? PY_SSIZE_T_MAX : PY_SSIZE_T_MIN;
        parts[i] = part.isNone() ? absent : static_cast<Py_ssize_t>(part.bits);
    }
    if (parts[2] == 0) {
        return build.fail(node, "slice step cannot be zero", "ValueError");
    }
    Py_ssize_t count =
        PySlice_AdjustIndices(static_cast<Py_ssize_t>(tuple.items.size()), &parts[0], &parts[1], parts[2]);
    Value chosen = Value::tuple({});
    for (Py_ssize_t i = 0; i < count; i++) {
        chosen.items.push_back(tuple.items[static_cast<size_t>(parts[0] + i * parts[2])]);
    }
    return chosen;
}

}  // namespace

Value wrappedIndex(FunctionBuilder& build, const Node& node, const Value& array, int axis, const Value& index) {
    Value position;
    if ((index.isConstant && index.bits >= 0) || index.type->isBool()) {
        position = convert(build, index, int64Type());
    } else if (index.type->isUnsigned()) {
        position = convert(build, index, scalarType(Scalar::kUInt64));
    } else {
        ValueId first = build.use(convert(build, index, int64Type()));
        position = build.emit(Op::kWrapIndex, int64Type(), {first, build.use(dimensionOf(build, array, axis))});
    }
    checkIndex(build, node, array, axis, index, position);
    return position;
}

bool isOfOneType(const Value& tuple) {
    for (const Value& item : tuple.items) {
        if (!sameForm(item, tuple.items[0])) {
            return false;
        }
    }
    return !tuple.items.empty();
}

bool indicesOf(FunctionBuilder& build, const Node& node, const Value& array, const Value& index,
               std::vector<Value>& out) {
    std::vector<Value> given = index.kind == ValueKind::kTuple ? index.items : std::vector<Value>{index};
    auto isNew = [](const Value& part) { return part.isNone(); };
    size_t ndim = static_cast<size_t>(array.type->ndim + std::count_if(given.begin(), given.end(), isNew));  // with new axes
    for (Value& item : given) {
        if (item.isArray() && item.type->ndim == 0 && item.type->element->isInteger()) {
            item = loadElement(build, item, {build.use(item)});
        }
        bool isEllipsis = item.kind == ValueKind::kObject && item.object.get() == Py_Ellipsis;
        if (item.isPoison() || build.failed()) {
            return false;
        }
        if (isEllipsis) {
            Value all = Value::ofKind(ValueKind::kSlice);
            all.items = {Value::none(), Value::none(), Value::none()};
            out.insert(out.end(), ndim + 1 - std::min(ndim + 1, given.size()), all);
        } else if (isIndex(item)) {
            out.push_back(item);
        } else {
            auto isWrong = [](const Value& part) { return !part.isNone() && !isIndex(part); };
            auto wrong = std::find_if(item.items.begin(), item.items.end(), isWrong);
            bool isSlice = item.kind == ValueKind::kSlice && wrong != item.items.end();
            build.fail(node, isSlice ? "the parts of a slice are integers, and this is " + describe(*wrong)
                                     : "an index is an integer or a slice, and this is " + describe(item));
            return false;
        }
    }
    if (out.size() > ndim) {
        auto count = static_cast<size_t>(array.type->ndim);
        build.fail(node, array.type->name + " has " + std::to_string(count) + (count == 1 ? " dimension" : " dimensions") +
                             ", and this index has " + std::to_string(out.size() - ndim + count));
        return false;
    }
    return true;
}

bool elementIndices(FunctionBuilder& build, const Node& node, const Value& array, const Value& index,
                    std::vector<ValueId>& out) {
    std::vector<Value> parts;
    if (!indicesOf(build, node, array, index, parts)) {
        return false;
    }
    bool isElement = parts.size() == static_cast<size_t>(array.type->ndim);
    for (const Value& part : parts) {
        isElement = isElement && part.isScalar();
    }
    for (size_t i = 0; isElement && i < parts.size(); i++) {
        out.push_back(build.use(wrappedIndex(build, node, array, static_cast<int>(i), parts[i])));
    }
    return isElement;
}

Value subscriptTuple(FunctionBuilder& build, const Node& node, const Value& tuple, const Value& index) {
    int64_t size = static_cast<int64_t>(tuple.items.size());
    if (index.isScalar() && index.isConstant) {
        int64_t position = index.bits < 0 ? index.bits + size : index.bits;
        if (position < 0 || position >= size) {
            return build.fail(
                node, "index " + std::to_string(index.bits) + " is out of range for a tuple of " + std::to_string(size),
                "IndexError");
        }
        return tuple.items[static_cast<size_t>(position)];
    }
    if (index.kind == ValueKind::kSlice) {
        return sliceTuple(build, node, tuple, index);
    }
    if (!isWhole(index) || size == 0) {
        return build.fail(node, describe(index) + " cannot index " + describe(tuple));
    }
    Value chosen = tuple.items.back();
    if (!isOfOneType(tuple)) {
        return build.fail(node, "a tuple of different types needs a constant index; this is " + describe(tuple));
    }
    std::function<Value(const Value&, const Value&, const Value&)> either =
        [&](const Value& condition, const Value& then, const Value& otherwise) {
            if (then.isScalar()) {
                return select(build, condition, then, otherwise);
            }
            Value both = Value::tuple({});
            for (size_t i = 0; i < then.items.size(); i++) {
                both.items.push_back(either(condition, then.items[i], otherwise.items[i]));
            }
            return both;
        };
    Value position = convert(build, index, int64Type());
    if (build.module().debug) {
        Value least = compare(build, node, Op::kLess, position, Value::integer(-size));
        Value outside =
            arithmetic(build, Op::kOr, least, compare(build, node, Op::kGreaterEqual, position, Value::integer(size)));
        raiseIf(
            build, outside, node,
            {Ref<>::borrow(PyExc_IndexError), Ref<>::steal(Py_BuildValue("(s)", "tuple index out of range")), "", 0},
            {});
    }
    for (int64_t i = size - 2; i >= 0; i--) {
        for (int64_t at : {i, i - size}) {
            Value isHere = compare(build, node, Op::kEqual, position, Value::integer(at));
            chosen = either(isHere, tuple.items[static_cast<size_t>(i)], chosen);
        }
    }
    return chosen;
}

}  // namespace kiln::gpu
