// Expressions: names, constants, attributes, tuples, and those that choose.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value FunctionBuilder::buildExpression(const Node& node) {
    if (failed()) {
        return {};
    }
    switch (node.kind) {
    case NodeKind::kName: return buildName(node);
    case NodeKind::kConstant: return valueOfObject(node.constant, node);
    case NodeKind::kAttribute: return buildAttribute(node);
    case NodeKind::kTuple:
    case NodeKind::kList: return buildTuple(node);
    case NodeKind::kBinOp: {
        if (Ref<> known = literal(node)) {
            return valueOfObject(std::move(known), node);
        }
        Value left = buildExpression(*node.child(0));
        Value right = buildExpression(*node.child(2));
        return buildBinary(node, node.child(1)->text, left, right);
    }
    case NodeKind::kUnaryOp: return buildUnary(node);
    case NodeKind::kBoolOp: return buildBoolOp(node, 0);
    case NodeKind::kCompare: return buildCompare(node);
    case NodeKind::kIfExp: return buildIfExp(node);
    case NodeKind::kCall: return buildCall(node);
    case NodeKind::kLambda: return closureOf(node);
    case NodeKind::kSubscript: return load(placeOf(node));
    case NodeKind::kNamedExpr: {
        Value value = buildExpression(*node.child(1));
        assign(*node.child(0), value);
        return value;
    }
    case NodeKind::kSlice: {
        Value slice = Value::ofKind(ValueKind::kSlice);
        for (size_t field = 0; field < 3; field++) {
            slice.items.push_back(node.child(field) != nullptr ? buildExpression(*node.child(field)) : Value::none());
        }
        return slice;
    }
    default: return failUnsupported(node, "expression");
    }
}

Value FunctionBuilder::buildName(const Node& node) {
    auto found = state_.find(node.text);
    if (found != state_.end()) {
        return read(node.text, found->second, node);
    }
    if (locals_.count(node.text) > 0) {
        if (module_.hasUnknown) {
            return {};
        }
        if (loops_.empty()) {
            return fail(node, "'" + node.text + "' is used before it is assigned", "NameError");
        }
        loops_.back()->undefined.try_emplace(node.text, &node);
        return {};
    }
    return buildGlobal(node);
}

namespace {

// threadIdx and its kin, by the names of the objects.
const std::map<std::string, Op>& geometries() {
    static const std::map<std::string, Op> kOps = {{"cuda.threadIdx", Op::kThreadIndex}, {"cuda.blockIdx", Op::kBlockIndex},
                                                   {"cuda.blockDim", Op::kBlockDim}, {"cuda.gridDim", Op::kGridDim}};
    return kOps;
}

}  // namespace

bool FunctionBuilder::isGeometry(const Value& value) {
    return value.kind == ValueKind::kObject && geometries().count(intrinsicName(value.object.get())) != 0;
}

Value FunctionBuilder::geometryPart(const Value& value, uint32_t axis) {
    return emit(geometries().at(intrinsicName(value.object.get())), scalarType(Scalar::kInt32), {}, axis);
}

Value FunctionBuilder::buildAttribute(const Node& node) {
    return load(placeOf(node));
}

Value FunctionBuilder::attribute(const Node& node, const Value& base, const std::string& name) {
    Value key = Value::ofKind(ValueKind::kText);
    key.text = name;
    switch (base.kind) {
    case ValueKind::kPoison: return base;
    case ValueKind::kRecord:
        if (const Field* field = findField(base.type->element, key)) {
            return load(fieldPlace(node, base, *field));
        }
        break;
    case ValueKind::kArray: return arrayAttribute(base, name, node);
    case ValueKind::kScalar:
        if (name == "real" || name == "imag") {
            return name == "real" ? realPart(base) : imaginaryPart(base);
        }
        break;
    case ValueKind::kTuple: {
        int position = fieldOfTuple(base, name);
        if (position >= 0) {
            return base.items[static_cast<size_t>(position)];
        }
        break;
    }
    case ValueKind::kObject: return objectAttribute(node, base, name);
    default: break;
    }
    return registeredAttribute(node, base, name);
}

Value FunctionBuilder::registeredAttribute(const Node& node, const Value& base, const std::string& name) {
    Ref<> registered = base.isHeld() || base.kind == ValueKind::kTuple ? memberOf(base, name, nullptr) : Ref<>();
    if (registered) {
        return callDevice(node, registered.get(), {base});
    }
    return failed() ? Value() : fail(node, describe(base) + " has no attribute '" + name + "' in kernels");
}

// The position of a named tuple's field; -1 where there is none.
int FunctionBuilder::fieldOfTuple(const Value& tuple, const std::string& name) {
    Ref<> fields = Ref<>::steal(tuple.object ? PyObject_GetAttrString(tuple.object.get(), "_fields") : nullptr);
    PyErr_Clear();
    for (Py_ssize_t i = 0; fields && PyTuple_Check(fields.get()) && i < PyTuple_GET_SIZE(fields.get()); i++) {
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(fields.get(), i), name.c_str()) == 0) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

Value FunctionBuilder::objectAttribute(const Node& node, const Value& base, const std::string& name) {
    if (isGeometry(base) && name.size() == 1 && name >= "x" && name <= "z") {
        return geometryPart(base, static_cast<uint32_t>(name[0] - 'x'));
    }
    Ref<> attribute = Ref<>::steal(PyObject_GetAttrString(base.object.get(), name.c_str()));
    if (!attribute) {
        return fail(node, takeMessage());
    }
    bool isModule = PyModule_Check(base.object.get());
    if (module_.isLoop && !isModule && !PyType_Check(base.object.get())) {
        return fail(node, "attributes of " + describe(base) + " may change, and a parallel loop cannot see it", "UnsupportedError");
    }
    if (isModule) {
        Ref<> key = Ref<>::steal(PyUnicode_InternFromString(name.c_str()));
        PyObject* names = PyModule_GetDict(base.object.get());
        module_.note(names, key.get(), PyDict_GetItemWithError(names, key.get()));
    }
    if (intrinsicName(attribute.get()) == "cuda.laneid") {
        return emit(Op::kLane, scalarType(Scalar::kInt32), {});
    }
    return valueOfObject(std::move(attribute), node);
}

Value FunctionBuilder::shapeOf(const Value& array) {
    Value shape = Value::tuple({});
    for (int axis = 0; axis < array.type->ndim; axis++) {
        shape.items.push_back(dimension(array, axis));
    }
    return shape;
}

Value FunctionBuilder::arrayAttribute(const Value& array, const std::string& name, const Node& node) {
    if (name == "shape") {
        return shapeOf(array);
    }
    if (name == "ndim") {
        return Value::integer(array.type->ndim);
    }
    if (name == "itemsize") {
        return Value::integer(array.type->element->bytes());
    }
    if (name == "size" || name == "nbytes") {
        Value size = Value::integer(name == "size" ? 1 : array.type->element->bytes());
        for (const Value& dimension : shapeOf(array).items) {
            size = arithmetic(Op::kMultiply, size, dimension);
        }
        return size;
    }
    if (name == "strides") {
        Value strides = Value::tuple({});
        for (int axis = 0; axis < array.type->ndim; axis++) {
            strides.items.push_back(stride(array, axis));
        }
        return strides;
    }
    if (name == "dtype") {
        Value text = Value::ofKind(ValueKind::kText);
        text.text = array.type->element->name;
        return text;
    }
    if (name == "T") {
        return transposed(array);
    }
    if (array.type->element->isComplex() && (name == "real" || name == "imag")) {
        return partsOf(array, name == "imag");
    }
    if (name == "real") {
        return array;
    }
    if (array.type->element->isRecord()) {
        Value key = Value::ofKind(ValueKind::kText);
        key.text = name;
        if (const Field* field = findField(array.type->element, key)) {
            return viewOfField(array, *field);
        }
    }
    if (name == "flat") {
        return reshaped(node, array, {Value::integer(-1)});
    }
    return registeredAttribute(node, array, name);
}

Value FunctionBuilder::buildTuple(const Node& node) {
    Value tuple = Value::tuple({});
    for (const auto& item : node.list(0)) {
        if (item->kind == NodeKind::kStarred) {
            Value inner = buildExpression(*item->child(0));
            if (inner.kind != ValueKind::kTuple) {
                return fail(*item, describe(inner) + " cannot be unpacked here");
            }
            tuple.items.insert(tuple.items.end(), inner.items.begin(), inner.items.end());
            continue;
        }
        tuple.items.push_back(buildExpression(*item));
    }
    return tuple;
}

// `condition ? then : otherwise`, each evaluated only if it is chosen, unless it does no harm.
Value FunctionBuilder::choose(const Value& condition, const Node& node, const std::function<Value()>& then,
                              const std::function<Value()>& otherwise) {
    if (condition.isConstant || condition.isPoison()) {
        return condition.isPoison() ? condition : condition.bits != 0 ? then() : otherwise();
    }
    ValueId operand = use(condition);
    Value values[2];
    std::vector<Edge> edges;
    State before = state_;
    Instruction instruction;
    instruction.op = Op::kIf;
    instruction.operands = {operand};
    instruction.line = line_;
    std::string name = "choice_" + std::to_string(node.line) + "_" + std::to_string(node.column);
    for (int branch = 0; branch < 2; branch++) {
        state_ = before;
        instruction.blocks.push_back(inBlock([&] { values[branch] = branch == 0 ? then() : otherwise(); }));
        edges.push_back({instruction.blocks.back().get(), state_});
    }
    if (failed() || values[0].isPoison() || values[1].isPoison()) {  // of one that nothing is known of, the other tells the type
        state_ = before;
        return failed() ? Value() : values[0].isPoison() ? values[1] : values[0];
    }
    bool areScalars = values[0].isScalar() && values[1].isScalar();
    if (areScalars && unifyScalars(values[0].type, values[1].type) != nullptr && isHarmless(*instruction.blocks[0]) &&
        isHarmless(*instruction.blocks[1])) {
        state_ = before;
        return selectHarmless(instruction, values);
    }
    for (int branch = 0; branch < 2; branch++) {
        Block* outer = std::exchange(block_, edges[branch].block);
        edges[branch].state[name] = bind(name, values[branch]);
        block_ = outer;
    }
    meet(edges);
    block_->code.push_back(std::move(instruction));
    Value joined = state_[name];
    state_.erase(name);
    return read("the result", joined, node);
}

bool FunctionBuilder::isHarmless(const Block& block) {
    constexpr size_t kMostSpeculated = 12;
    for (const Instruction& instruction : block.code) {
        bool pure = opInfo(instruction.op).effect == Effect::kPure || instruction.op == Op::kGet;
        if (!pure || instruction.op == Op::kMath || instruction.op == Op::kPower) {
            return false;
        }
    }
    return block.code.size() <= kMostSpeculated;
}

Value FunctionBuilder::selectHarmless(Instruction& choice, Value* values) {
    for (const auto& block : choice.blocks) {
        for (Instruction& instruction : block->code) {
            block_->code.push_back(std::move(instruction));
        }
    }
    const Type* type = unifyScalars(values[0].type, values[1].type);
    Value then = convert(values[0], type);
    Value otherwise = convert(values[1], type);
    if (type->isBool() && otherwise.isConstant && otherwise.bits == 0) {
        return emit(Op::kAnd, type, {choice.operands[0], use(then)});
    }
    if (type->isBool() && then.isConstant && then.bits == 1) {
        return emit(Op::kOr, type, {choice.operands[0], use(otherwise)});
    }
    return emit(Op::kSelect, type, {choice.operands[0], use(then), use(otherwise)});
}

Value FunctionBuilder::buildIfExp(const Node& node) {
    Value condition = truth(buildExpression(*node.child(0)), *node.child(0));
    return choose(condition, node, [&] { return buildExpression(*node.child(1)); },
                  [&] { return buildExpression(*node.child(2)); });
}

// a and b: b if a, else a. Of bools: a value of type bool.
Value FunctionBuilder::buildBoolOp(const Node& node, size_t first) {
    const auto& operands = node.list(1);
    Value left = buildExpression(*operands[first]);
    if (first + 1 == operands.size()) {
        return left;
    }
    bool isAnd = node.child(0)->text == "And";
    Value condition = truth(left, *operands[first]);
    Value stop = left.isScalar() && left.type->isBool() ? Value::constant(left.type, !isAnd) : left;
    auto rest = [&] { return buildBoolOp(node, first + 1); };
    auto same = [&] { return stop; };
    return isAnd ? choose(condition, node, rest, same) : choose(condition, node, same, rest);
}

}  // namespace kiln::gpu
