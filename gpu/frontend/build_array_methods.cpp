// Methods of arrays, and the functions of NumPy that do the same.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

// The elements as ones of another type at the same place; a size of its own needs a contiguous last axis.
Value viewAs(FunctionBuilder& build, const Node& node, const Value& array, const Type* element) {
    int from = array.type->element->bytes();
    int to = element->bytes();
    int ndim = array.type->ndim;
    if (from != to && (array.type->layout != Layout::kC || ndim == 0)) {
        return build.fail(node,
                          "view as elements of another size needs a contiguous array, and this is " + describe(array));
    }
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = 0; axis < ndim; axis++) {
        starts.push_back(Value::integer(0));
        Value size = build.dimension(array, axis);
        bool isLast = axis + 1 == ndim && from != to;
        shape.push_back(!isLast ? size
                                : build.arithmetic(Op::kFloorDivide,
                                                   build.arithmetic(Op::kMultiply, size, Value::integer(from)),
                                                   Value::integer(to)));
        strides.push_back(isLast ? Value::integer(to) : build.stride(array, axis));
    }
    const Type* type = arrayType(element, ndim, array.type->layout, array.type->space, array.type->readonly);
    return build.makeView(array, type, starts, shape, strides);
}

// What numba sums up in.
const Type* sumType(const Type* element) {
    if (element->isFloat() || element->isComplex()) {
        return element;
    }
    return scalarType(element->isUnsigned() ? Scalar::kUInt64 : Scalar::kInt64);
}

// Whether any or all elements are true.
Value foldTruth(FunctionBuilder& build, const Call& call, bool isAll) {
    uint32_t slot = build.accumulator(Value::constant(scalarType(Scalar::kBool), isAll));
    build.forElements(call[0], [&](const std::vector<Value>& at) {
        Value isTrue = build.truth(build.loadAt(call[0], at), call.node);
        build.set(slot, build.arithmetic(isAll ? Op::kAnd : Op::kOr, build.get(slot), isTrue));
    });
    return build.get(slot);
}

Value fold(FunctionBuilder& build, const Call& call, Op op) {
    Value first = Value::integer(op == Op::kMultiply);
    uint32_t slot = build.accumulator(build.convert(first, sumType(call[0].type->element)));
    build.forElements(call[0], [&](const std::vector<Value>& at) {
        build.set(slot, build.binary(call.node, op, build.get(slot), build.loadAt(call[0], at)));
    });
    return build.get(slot);
}

// mean, var and std: one pass over the elements, or two.
Value moment(FunctionBuilder& build, const Call& call, Reduction kind) {
    const Node& node = call.node;
    const Type* wide = scalarType(Scalar::kFloat64);
    Value sum = fold(build, call, Op::kAdd);
    Value count = build.arrayAttribute(call[0], "size", node);
    Value mean = build.binary(node, Op::kDivide, sum, count);
    if (kind == Reduction::kMean || mean.isPoison()) {
        return mean;
    }
    uint32_t squares = build.accumulator(build.convert(Value::integer(0), wide));
    build.forElements(call[0], [&](const std::vector<Value>& at) {
        Value away = build.binary(node, Op::kSubtract, build.loadAt(call[0], at), mean);
        Value square = away.type->isComplex()
                           ? build.realPart(build.complexBinary(Op::kMultiply, away, build.conjugate(away)))
                           : build.binary(node, Op::kMultiply, away, away);
        build.set(squares, build.arithmetic(Op::kAdd, build.get(squares), build.convert(square, wide)));
    });
    Value variance = build.binary(node, Op::kDivide, build.get(squares), count);
    return kind == Reduction::kVar ? variance : build.mathCall(MathFunction::kSqrt, {variance});
}

// min, max, argmin, argmax: a nan wins, as in NumPy. Of no elements: what memory holds.
Value extreme(FunctionBuilder& build, const Call& call, Reduction kind) {
    const Value& array = call[0];
    const Type* element = array.type->element;
    if (element->isComplex() || array.type->ndim == 0) {
        return build.fail(call.node, call.name() + " does not work on " + describe(array));
    }
    Op op = kind == Reduction::kMax || kind == Reduction::kArgMax ? Op::kGreater : Op::kLess;
    std::vector<Value> first(static_cast<size_t>(array.type->ndim), Value::integer(0));
    uint32_t best = build.accumulator(build.loadAt(array, first));
    uint32_t place = build.accumulator(Value::integer(0));
    uint32_t position = build.accumulator(Value::integer(0));
    build.forElements(array, [&](const std::vector<Value>& at) {
        Value value = build.loadAt(array, at);
        Value old = build.get(best);
        Value isBetter = build.compared(op, value, old);
        if (element->isFloat()) {
            Value isNan = build.compared(Op::kNotEqual, value, value);
            Value wasNumber = build.compared(Op::kEqual, old, old);
            isBetter = build.arithmetic(Op::kOr, isBetter, build.arithmetic(Op::kAnd, isNan, wasNumber));
        }
        build.set(best, build.select(isBetter, value, old));
        build.set(place, build.select(isBetter, build.get(position), build.get(place)));
        build.set(position, build.arithmetic(Op::kAdd, build.get(position), Value::integer(1)));
    });
    return build.get(kind == Reduction::kMin || kind == Reduction::kMax ? best : place);
}

}  // namespace

Value callReduction(FunctionBuilder& build, Call& call) {
    if (!call[0].isArray()) {
        return build.fail(call.node, call.name() + " works on an array in kernels, and this is " + describe(call[0]));
    }
    if (call.has(1)) {
        return build.fail(call.node,
                          "with an axis, " + call.name() + " makes an array, which kernels cannot; write a loop",
                          "UnsupportedError");
    }
    switch (auto kind = call.payload<Reduction>()) {
    case Reduction::kAny:
    case Reduction::kAll: return foldTruth(build, call, kind == Reduction::kAll);
    case Reduction::kSum:
    case Reduction::kProd: return fold(build, call, kind == Reduction::kProd ? Op::kMultiply : Op::kAdd);
    case Reduction::kMean:
    case Reduction::kVar:
    case Reduction::kStd: return moment(build, call, kind);
    default: return extreme(build, call, kind);
    }
}

namespace {

// Views are in C order.
bool isC(FunctionBuilder& build, const Call& call, const Value& order) {
    bool known = order.kind == ValueKind::kText && (order.text == "C" || order.text == "A");
    if (!known) {
        build.fail(call.node, call.name() + " has order 'C' only in kernels", "UnsupportedError");
    }
    return known;
}

}  // namespace

Value callReshape(FunctionBuilder& build, Call& call) {
    auto order = call.options.find("order");
    if (order != call.options.end() && !isC(build, call, order->second)) {
        return {};
    }
    std::vector<Value> sizes(call.arguments.begin() + 1, call.arguments.end());
    bool isTuple = sizes.size() == 1 && sizes[0].kind == ValueKind::kTuple;
    return build.reshaped(call.node, call[0], isTuple ? sizes[0].items : sizes);
}

Value callRavel(FunctionBuilder& build, Call& call) {
    return call.has(1) && !isC(build, call, call[1]) ? Value()
                                                     : build.reshaped(call.node, call[0], {Value::integer(-1)});
}

Value callView(FunctionBuilder& build, Call& call) {
    const Type* element = typeNamedBy(call[1]);
    return element != nullptr
               ? viewAs(build, call.node, call[0], element)
               : build.fail(call.node, "view takes a type of numba's or NumPy's, and this is " + describe(call[1]));
}

Value callFill(FunctionBuilder& build, Call& call) {
    return build.assignElements(call.node, call[0], call[1]) ? Value::none() : Value();
}

Value callItem(FunctionBuilder& build, Call& call) {
    Value place = Value::tuple({call.arguments.begin() + 1, call.arguments.end()});
    if (place.items.size() != static_cast<size_t>(call[0].type->ndim)) {
        return build.fail(call.node, "item takes an index for each dimension in kernels");
    }
    return build.item(call.node, call[0], place);
}

Value callTranspose(FunctionBuilder& build, Call& call) {
    return build.transposed(call[0]);
}

Value refuseMaking(FunctionBuilder& build, Call& call) {
    return build.fail(call.node,
                      "'" + call.name().substr(6) +
                          "' makes an array, which kernels cannot; write a loop into an array that they get",
                      "UnsupportedError");
}

}  // namespace kiln::gpu
