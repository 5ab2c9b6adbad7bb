// Arrays gone through in C's order, whatever their axes: flat, numpy.ndenumerate, numpy.ndindex.
#include "gpu/frontend/build_flat.h"

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
namespace {

std::vector<Value> shapeOf(FunctionBuilder& build, const Value& iterable) {
    return iterable.kind == ValueKind::kFlat ? axesOf(build, iterable.items[0]).shape : iterable.items;
}

Value places(std::vector<Value> shape) {
    Value value = Value::ofKind(ValueKind::kPlaces);
    value.items = std::move(shape);
    return value;
}

}  // namespace

Value flatOf(FunctionBuilder& build, const Node& node, const Value& array) {
    if (array.type->ndim == 1) {
        return array;
    }
    if (array.type->layout == Layout::kC) {
        return reshaped(build, node, array, {Value::integer(-1)});
    }
    Value flat = Value::ofKind(ValueKind::kFlat);
    flat.items = {array};
    return flat;
}

Value placeAt(FunctionBuilder& build, const Value& iterable, const Value& position) {
    std::vector<Value> shape = shapeOf(build, iterable);
    Value place = Value::tuple(shape);
    Value rest = position;
    for (size_t axis = shape.size(); axis-- > 0;) {
        if (axis == 0) {
            place.items[0] = rest;
            break;
        }
        place.items[axis] = arithmetic(build, Op::kModulo, rest, shape[axis]);
        rest = arithmetic(build, Op::kFloorDivide, rest, shape[axis]);
    }
    return place;
}

Value countOf(FunctionBuilder& build, const Value& iterable) {
    Value count = Value::integer(1);
    for (const Value& size : shapeOf(build, iterable)) {
        count = arithmetic(build, Op::kMultiply, count, size);
    }
    return count;
}

Value flatIndex(FunctionBuilder& build, const Node& node, const Value& flat, const Value& index) {
    if (!index.isScalar() || !index.type->isInteger()) {
        return build.fail(
            node,
            "flat of an array with gaps, or in another order than C's, takes an integer as index, and this is " +
                describe(index),
            "UnsupportedError");
    }
    Value position = convert(build, index, int64Type());
    Value count = countOf(build, flat);
    position = build.emit(Op::kWrapIndex, int64Type(), {build.use(position), build.use(count)});
    if (build.module().checksBounds) {
        Value isOutside = arithmetic(build, Op::kOr, compared(build, Op::kLess, position, Value::integer(0)),
                                     compared(build, Op::kGreaterEqual, position, count));
        raiseIf(build, isOutside, node,
                {Ref<>::borrow(PyExc_IndexError),
                 Ref<>::steal(Py_BuildValue("(s)", "an index of flat is out of bounds")), "", 0},
                {});
    }
    return placeAt(build, flat, position);
}

// numpy.ndindex(shape), numpy.ndindex(*shape)
Value callNdindex(FunctionBuilder& build, Call& call) {
    bool isTuple = call.size() == 1 && call[0].kind == ValueKind::kTuple;
    std::vector<Value> shape = isTuple ? call[0].items : call.arguments;
    for (Value& size : shape) {
        if (!size.isScalar() || !size.type->isInteger()) {
            return build.fail(call.node, "numpy.ndindex takes integers, and this is " + describe(size));
        }
        size = convert(build, size, int64Type());
    }
    return places(std::move(shape));
}

// numpy.ndenumerate(array): places beside elements.
Value callNdenumerate(FunctionBuilder& build, Call& call) {
    if (!call[0].isArray()) {
        return build.fail(call.node, "numpy.ndenumerate takes an array, and this is " + describe(call[0]));
    }
    Value pairs = Value::ofKind(ValueKind::kZip);
    pairs.items = {places(axesOf(build, call[0]).shape), flatOf(build, call.node, call[0])};
    return pairs;
}

}  // namespace kiln::gpu
