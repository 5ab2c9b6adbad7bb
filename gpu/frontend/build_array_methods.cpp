// Methods of arrays, and the functions of NumPy that do the same.
#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_math.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"

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
    Axes axes;
    for (int axis = 0; axis < ndim; axis++) {
        axes.starts.push_back(Value::integer(0));
        Value size = dimensionOf(build, array, axis);
        bool isLast = axis + 1 == ndim && from != to;
        axes.shape.push_back(!isLast ? size
                                     : arithmetic(build, Op::kFloorDivide,
                                                  arithmetic(build, Op::kMultiply, size, Value::integer(from)),
                                                  Value::integer(to)));
        axes.strides.push_back(isLast ? Value::integer(to) : strideOf(build, array, axis));
    }
    const Type* type = arrayType(element, ndim, array.type->layout, array.type->space, array.type->readonly);
    return makeView(build, array, type, axes);
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
    uint32_t slot = accumulator(build, Value::constant(scalarType(Scalar::kBool), isAll));
    forElements(build, call[0], [&](const std::vector<Value>& at) {
        Value isTrue = truth(build, loadAt(build, call[0], at), call.node);
        setVariable(build, slot, arithmetic(build, isAll ? Op::kAnd : Op::kOr, getVariable(build, slot), isTrue));
    });
    return getVariable(build, slot);
}

Value fold(FunctionBuilder& build, const Call& call, Op op) {
    Value first = Value::integer(op == Op::kMultiply);
    uint32_t slot = accumulator(build, convert(build, first, sumType(call[0].type->element)));
    forElements(build, call[0], [&](const std::vector<Value>& at) {
        setVariable(build, slot, binary(build, call.node, op, getVariable(build, slot), loadAt(build, call[0], at)));
    });
    return getVariable(build, slot);
}

// mean, var and std: one pass over the elements, or two.
Value moment(FunctionBuilder& build, const Call& call, Reduction kind) {
    const Node& node = call.node;
    const Type* wide = scalarType(Scalar::kFloat64);
    Value sum = fold(build, call, Op::kAdd);
    Value count = sizeOf(build, call[0]);
    Value mean = binary(build, node, Op::kDivide, sum, count);
    if (kind == Reduction::kMean || mean.isPoison()) {
        return mean;
    }
    uint32_t squares = accumulator(build, convert(build, Value::integer(0), wide));
    forElements(build, call[0], [&](const std::vector<Value>& at) {
        Value away = binary(build, node, Op::kSubtract, loadAt(build, call[0], at), mean);
        Value square = away.type->isComplex()
                           ? realPart(build, complexBinary(build, Op::kMultiply, away, conjugate(build, away)))
                           : binary(build, node, Op::kMultiply, away, away);
        setVariable(build, squares,
                    arithmetic(build, Op::kAdd, getVariable(build, squares), convert(build, square, wide)));
    });
    Value variance = binary(build, node, Op::kDivide, getVariable(build, squares), count);
    return kind == Reduction::kVar ? variance : mathCall(build, MathFunction::kSqrt, {variance});
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
    uint32_t best = accumulator(build, loadAt(build, array, first));
    uint32_t place = accumulator(build, Value::integer(0));
    uint32_t position = accumulator(build, Value::integer(0));
    forElements(build, array, [&](const std::vector<Value>& at) {
        Value value = loadAt(build, array, at);
        Value old = getVariable(build, best);
        Value isBetter = compared(build, op, value, old);
        if (element->isFloat()) {
            Value isNan = compared(build, Op::kNotEqual, value, value);
            Value wasNumber = compared(build, Op::kEqual, old, old);
            isBetter = arithmetic(build, Op::kOr, isBetter, arithmetic(build, Op::kAnd, isNan, wasNumber));
        }
        setVariable(build, best, select(build, isBetter, value, old));
        setVariable(build, place, select(build, isBetter, getVariable(build, position), getVariable(build, place)));
        setVariable(build, position, arithmetic(build, Op::kAdd, getVariable(build, position), Value::integer(1)));
    });
    return getVariable(build, kind == Reduction::kMin || kind == Reduction::kMax ? best : place);
}

// Views are in C order.
bool isC(FunctionBuilder& build, const Call& call, const Value& order) {
    bool known = order.kind == ValueKind::kText && (order.text == "C" || order.text == "A");
    if (!known) {
        build.fail(call.node, call.name() + " has order 'C' only in kernels", "UnsupportedError");
    }
    return known;
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

Value callReshape(FunctionBuilder& build, Call& call) {
    auto order = call.options.find("order");
    if (order != call.options.end() && !isC(build, call, order->second)) {
        return {};
    }
    std::vector<Value> sizes(call.arguments.begin() + 1, call.arguments.end());
    bool isTuple = sizes.size() == 1 && sizes[0].kind == ValueKind::kTuple;
    return reshaped(build, call.node, call[0], isTuple ? sizes[0].items : sizes);
}

Value callRavel(FunctionBuilder& build, Call& call) {
    return call.has(1) && !isC(build, call, call[1]) ? Value()
                                                     : reshaped(build, call.node, call[0], {Value::integer(-1)});
}

Value callView(FunctionBuilder& build, Call& call) {
    const Type* element = typeNamedBy(call[1]);
    return element != nullptr
               ? viewAs(build, call.node, call[0], element)
               : build.fail(call.node, "view takes a type of numba's or NumPy's, and this is " + describe(call[1]));
}

Value callFill(FunctionBuilder& build, Call& call) {
    return assignElements(build, call.node, call[0], call[1]) ? Value::none() : Value();
}

Value callItem(FunctionBuilder& build, Call& call) {
    Value place = Value::tuple({call.arguments.begin() + 1, call.arguments.end()});
    bool isOnly = place.items.empty();
    if (isOnly && (build.module().debug || build.module().checksBounds)) {
        Value isOther = compared(build, Op::kNotEqual, sizeOf(build, call[0]), Value::integer(1));
        const char* message = "item(): can only convert an array of size 1 to a Python scalar";
        raiseIf(build, isOther, call.node, {Ref<>::borrow(PyExc_ValueError), Ref<>::steal(Py_BuildValue("(s)", message)), "", 0}, {});
    }
    if (isOnly) {
        place.items.assign(static_cast<size_t>(call[0].type->ndim), Value::integer(0));
    }
    if (place.items.size() != static_cast<size_t>(call[0].type->ndim)) {
        return build.fail(call.node, "item takes an index for each dimension in kernels");
    }
    return subscript(build, call.node, call[0], place);
}

Value callTranspose(FunctionBuilder& build, Call& call) {
    return transposed(build, call[0]);
}

Value refuseMaking(FunctionBuilder& build, Call& call) {
    return build.fail(call.node,
                      "'" + call.name().substr(6) +
                          "' makes an array, which kernels cannot; write a loop into an array that they get",
                      "UnsupportedError");
}

}  // namespace kiln::gpu
