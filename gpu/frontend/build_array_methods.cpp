// Methods and attributes of arrays, and the functions of NumPy that do the same: views, and loops over all elements.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* int64() { return scalarType(Scalar::kInt64); }

// What numba sums up in.
const Type* sumType(const Type* element) {
    if (element->isFloat() || element->isComplex()) {
        return element;
    }
    return element->isUnsigned() ? scalarType(Scalar::kUInt64) : int64();
}

}  // namespace

// A loop of the kernel's; `body` gets the number of the pass.
void FunctionBuilder::forRange(const Value& count, const std::function<void(const Value&)>& body) {
    Instruction loop;
    loop.op = Op::kFor;
    loop.line = line_;
    loop.index = slotFor("index_" + std::to_string(function().variables.size()), int64());
    loop.operands.push_back(use(Value::integer(0)));
    loop.operands.push_back(use(count));
    loop.operands.push_back(use(Value::integer(1)));
    loop.blocks.push_back(inBlock([&] { body(emit(Op::kGet, int64(), {}, loop.index)); }));
    block_->code.push_back(std::move(loop));
}

// Calls body(indices) for all elements, the last index fastest.
void FunctionBuilder::forElements(const Value& array, const std::function<void(const std::vector<Value>&)>& body) {
    std::vector<Value> indices;
    std::function<void()> descend = [&] {
        int axis = static_cast<int>(indices.size());
        if (axis == array.type->ndim) {
            body(indices);
            return;
        }
        forRange(dimension(array, axis), [&](const Value& index) {
            indices.push_back(index);
            descend();
            indices.pop_back();
        });
    };
    descend();
}

Value FunctionBuilder::loadAt(const Value& array, const std::vector<Value>& indices) {
    std::vector<ValueId> operands = {use(array)};
    for (const Value& index : indices) {
        operands.push_back(use(index));
    }
    return emit(Op::kLoad, array.type->element, operands);
}

void FunctionBuilder::storeAt(const Value& array, const std::vector<Value>& indices, const Value& value) {
    std::vector<ValueId> operands = {use(array)};
    for (const Value& index : indices) {
        operands.push_back(use(index));
    }
    operands.push_back(use(convert(value, array.type->element)));
    emitRaw(Op::kStore, nullptr, operands);
}

// A variable of the front end's own, with a first value.
uint32_t FunctionBuilder::accumulator(const Value& first) {
    uint32_t slot = slotFor("result_" + std::to_string(function().variables.size()), first.type);
    emitRaw(Op::kSet, nullptr, {use(first)}, slot);
    return slot;
}

Value FunctionBuilder::get(uint32_t slot) {
    return emit(Op::kGet, function().variables[slot].type, {}, slot);
}

void FunctionBuilder::set(uint32_t slot, const Value& value) {
    emitRaw(Op::kSet, nullptr, {use(convert(value, function().variables[slot].type))}, slot);
}

// The elements as ones of another type at the same place; a size of its own needs a contiguous last axis.
Value FunctionBuilder::viewAs(const Node& node, const Value& array, const Type* element) {
    int from = array.type->element->bytes();
    int to = element->bytes();
    int ndim = array.type->ndim;
    if (from != to && (array.type->layout != Layout::kC || ndim == 0)) {
        return fail(node, "view as elements of another size needs a contiguous array, and this is " + describe(array));
    }
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = 0; axis < ndim; axis++) {
        starts.push_back(Value::integer(0));
        Value size = dimension(array, axis);
        bool isLast = axis + 1 == ndim && from != to;
        shape.push_back(!isLast ? size : arithmetic(Op::kFloorDivide, arithmetic(Op::kMultiply, size, Value::integer(from)), Value::integer(to)));
        strides.push_back(isLast ? Value::integer(to) : stride(array, axis));
    }
    const Type* type = arrayType(element, ndim, array.type->layout, array.type->space, array.type->readonly);
    return makeView(array, type, starts, shape, strides);
}

// The real or imaginary parts of an array of complex numbers: its floats have one more axis, of two.
Value FunctionBuilder::partsOf(const Value& array, bool imaginary) {
    const Type* part = partType(array.type->element);
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = 0; axis < array.type->ndim; axis++) {
        starts.push_back(Value::integer(0));
        shape.push_back(dimension(array, axis));
        strides.push_back(stride(array, axis));
    }
    auto typeOf = [&](size_t ndim) {
        return arrayType(part, static_cast<int>(ndim), Layout::kA, array.type->space, array.type->readonly);
    };
    if (!imaginary || array.type->ndim == kMaxDimensions) {
        return makeView(array, typeOf(shape.size()), starts, shape, strides);
    }
    std::vector<Value> wider = shape;
    std::vector<Value> steps = strides;
    wider.push_back(Value::integer(2));
    steps.push_back(Value::integer(part->bytes()));
    Value pairs = makeView(array, typeOf(wider.size()), starts, wider, steps);
    starts.push_back(Value::integer(1));
    return makeView(pairs, typeOf(shape.size()), starts, shape, strides);
}

// reshape(sizes), one of which may be the constant -1. Contiguous arrays only.
Value FunctionBuilder::reshaped(const Node& node, const Value& array, const std::vector<Value>& sizes) {
    if (array.type->layout != Layout::kC) {
        return fail(node, "reshape needs a contiguous array in kernels, and this is " + describe(array), "UnsupportedError");
    }
    if (sizes.size() > kMaxDimensions) {
        return fail(node, "arrays have at most 8 dimensions in kernels");
    }
    Value all = arrayAttribute(array, "size", node);
    Value known = Value::integer(1);
    for (const Value& size : sizes) {
        if (!size.isScalar() || !size.type->isInteger()) {
            return fail(node, "a dimension is an integer, and this is " + describe(size));
        }
        if (!size.isConstant || size.bits != -1) {
            known = arithmetic(Op::kMultiply, known, convert(size, int64()));
        }
    }
    std::vector<Value> shape;
    for (const Value& size : sizes) {
        bool isOpen = size.isConstant && size.bits == -1;
        shape.push_back(isOpen ? arithmetic(Op::kFloorDivide, all, known) : convert(size, int64()));
    }
    std::vector<Value> strides(sizes.size());
    Value step = Value::integer(array.type->element->bytes());
    for (size_t i = sizes.size(); i-- > 0;) {
        strides[i] = step;
        step = arithmetic(Op::kMultiply, step, shape[i]);
    }
    if (module_.debug) {
        Value product = Value::integer(1);
        for (const Value& size : shape) {
            product = arithmetic(Op::kMultiply, product, size);
        }
        raiseIf(compare(node, "NotEq", product, all), node,
                {Ref<>::borrow(PyExc_ValueError), Ref<>::steal(Py_BuildValue("(s)", "total size of new array must be unchanged")), "", 0}, {});
    }
    std::vector<Value> starts(static_cast<size_t>(array.type->ndim), Value::integer(0));
    const Type* type = arrayType(array.type->element, static_cast<int>(sizes.size()), Layout::kC, array.type->space, array.type->readonly);
    return makeView(array, type, starts, shape, strides);
}

// sum, prod, mean, var, std, any, all: one pass, or two, over the elements.
Value FunctionBuilder::reduction(const Node& node, const Value& array, const std::string& name) {
    const Type* element = array.type->element;
    const Type* boolean = scalarType(Scalar::kBool);
    if (name == "any" || name == "all") {
        uint32_t slot = accumulator(Value::constant(boolean, name == "all"));
        forElements(array, [&](const std::vector<Value>& at) {
            Value isTrue = truth(loadAt(array, at), node);
            set(slot, arithmetic(name == "all" ? Op::kAnd : Op::kOr, get(slot), isTrue));
        });
        return get(slot);
    }
    const Type* type = sumType(element);
    bool isProduct = name == "prod";
    uint32_t slot = accumulator(convert(Value::integer(isProduct ? 1 : 0), type));
    forElements(array, [&](const std::vector<Value>& at) {
        set(slot, buildBinary(node, isProduct ? "Mult" : "Add", get(slot), loadAt(array, at)));
    });
    if (name == "sum" || isProduct) {
        return get(slot);
    }
    Value count = arrayAttribute(array, "size", node);
    Value mean = buildBinary(node, "Div", get(slot), count);
    if (name == "mean") {
        return mean;
    }
    const Type* wide = scalarType(Scalar::kFloat64);
    uint32_t squares = accumulator(convert(Value::integer(0), wide));
    forElements(array, [&](const std::vector<Value>& at) {
        Value away = buildBinary(node, "Sub", loadAt(array, at), mean);
        Value square = element->isComplex() ? realPart(complexBinary(Op::kMultiply, away, conjugate(away)))
                                            : buildBinary(node, "Mult", away, away);
        set(squares, arithmetic(Op::kAdd, get(squares), convert(square, wide)));
    });
    Value variance = buildBinary(node, "Div", get(squares), count);
    return name == "var" ? variance
                         : emit(Op::kMath, wide, {use(variance)}, static_cast<uint32_t>(MathFunction::kSqrt));
}

// min, max, argmin, argmax: a nan wins, as in NumPy. Of no elements: what memory holds.
Value FunctionBuilder::extreme(const Node& node, const Value& array, const std::string& name) {
    const Type* element = array.type->element;
    const Type* boolean = scalarType(Scalar::kBool);
    if (element->isComplex() || array.type->ndim == 0) {
        return fail(node, name + " does not work on " + describe(array));
    }
    bool isMaximum = name == "max" || name == "argmax";
    std::vector<Value> first(static_cast<size_t>(array.type->ndim), Value::integer(0));
    uint32_t best = accumulator(loadAt(array, first));
    uint32_t place = accumulator(Value::integer(0));
    uint32_t position = accumulator(Value::integer(0));
    forElements(array, [&](const std::vector<Value>& at) {
        Value value = loadAt(array, at);
        Value old = get(best);
        ValueId left = use(value);
        Value isBetter = emit(isMaximum ? Op::kGreater : Op::kLess, boolean, {left, use(old)});
        if (element->isFloat()) {
            Value isNan = emit(Op::kNotEqual, boolean, {left, left});
            ValueId kept = use(old);
            Value wasNumber = emit(Op::kEqual, boolean, {kept, kept});
            isBetter = arithmetic(Op::kOr, isBetter, arithmetic(Op::kAnd, isNan, wasNumber));
        }
        set(best, select(isBetter, value, old));
        set(place, select(isBetter, get(position), get(place)));
        set(position, arithmetic(Op::kAdd, get(position), Value::integer(1)));
    });
    return get(name == "min" || name == "max" ? best : place);
}

Value FunctionBuilder::callMethod(const Node& node, const Value& self, std::vector<Value>& arguments) {
    callee_ = "array." + node.text;
    const std::string& name = node.text;
    if (name == "reshape") {
        bool isTuple = arguments.size() == 1 && arguments[0].kind == ValueKind::kTuple;
        return reshaped(node, self, isTuple ? arguments[0].items : arguments);
    }
    if (name == "view" && expect(node, arguments, 1, 1)) {
        const Type* element = typeNamedBy(arguments[0]);
        return element != nullptr ? viewAs(node, self, element)
                                  : fail(node, "view takes a type of numba's or NumPy's, and this is " + describe(arguments[0]));
    }
    if (name == "fill" && expect(node, arguments, 1, 1)) {
        return assignElements(node, self, arguments[0]) ? Value::none() : Value();
    }
    static const std::set<std::string> kReductions = {"sum", "prod", "mean", "var", "std", "any", "all"};
    static const std::set<std::string> kExtremes = {"min", "max", "argmin", "argmax"};
    if ((kReductions.count(name) > 0 || kExtremes.count(name) > 0) && !arguments.empty()) {
        return fail(node, "with an axis, " + name + " makes an array, which kernels cannot; write a loop", "UnsupportedError");
    }
    if (kReductions.count(name) > 0) {
        return reduction(node, self, name);
    }
    if (kExtremes.count(name) > 0) {
        return extreme(node, self, name);
    }
    if (failed() || !arguments.empty()) {
        return fail(node, "arrays have no method '" + name + "' with these arguments in kernels", "UnsupportedError");
    }
    if (name == "item" && self.type->ndim == 0) {
        return emit(Op::kLoad, self.type->element, {use(self)});
    }
    if (name == "transpose") {
        return transposed(self);
    }
    if (name == "ravel") {
        return reshaped(node, self, {Value::integer(-1)});
    }
    static const std::set<std::string> kMaking = {"copy", "astype", "flatten", "tolist", "conj", "conjugate", "cumsum", "dot",
                                                  "nonzero", "repeat", "sort", "argsort", "take"};
    return fail(node, kMaking.count(name) > 0 ? "'" + name + "' makes an array, which kernels cannot; write a loop into an array that they get"
                                              : "arrays have no method '" + name + "' in kernels", "UnsupportedError");
}

// numpy.sum(array) and its kin.
Value FunctionBuilder::callReduction(const Node& node, std::vector<Value>& arguments) {
    if (arguments.empty() || !arguments[0].isArray()) {
        return fail(node, callee_ + " works on an array in kernels");
    }
    std::string name = callee_.substr(callee_.rfind('.') + 1);
    name = name == "amin" ? "min" : name == "amax" ? "max" : name;
    if (arguments.size() > 1) {
        return fail(node, "with an axis, " + name + " makes an array, which kernels cannot; write a loop", "UnsupportedError");
    }
    bool isExtreme = name == "min" || name == "max" || name == "argmin" || name == "argmax";
    return isExtreme ? extreme(node, arguments[0], name) : reduction(node, arguments[0], name);
}

// All elements of the target become the value, or those of an array of the same shape, or of one with fewer axes.
bool FunctionBuilder::assignElements(const Node& node, const Value& target, const Value& value) {
    bool fits = value.isScalar() || (value.isArray() && value.type->ndim <= target.type->ndim);
    if (!fits || target.type->readonly) {
        fail(node, target.type->readonly ? "this array is read-only" : describe(value) + " cannot be assigned to " + describe(target));
        return false;
    }
    forElements(target, [&](const std::vector<Value>& at) {
        if (value.isScalar()) {
            storeAt(target, at, value);
        } else {
            storeAt(target, at, loadAt(value, {at.end() - value.type->ndim, at.end()}));
        }
    });
    return !failed();
}

}  // namespace kiln::gpu
