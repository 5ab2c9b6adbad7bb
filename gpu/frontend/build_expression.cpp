// Expressions: names, constants, attributes, tuples, and those that choose.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/array_interface.h"
#include "gpu/frontend/dtype.h"
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

// Of a bool, an int, a float or a complex.
Value FunctionBuilder::valueOfNumber(PyObject* thing, const Node& node) {
    if (PyBool_Check(thing)) {
        return Value::constant(scalarType(Scalar::kBool), thing == Py_True);
    }
    if (PyLong_CheckExact(thing)) {
        int overflow = 0;
        int64_t number = PyLong_AsLongLongAndOverflow(thing, &overflow);
        if (overflow == 0) {
            return Value::integer(number);
        }
        uint64_t wide = PyLong_AsUnsignedLongLong(thing);
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return fail(node, "this integer does not fit into 64 bits");
        }
        return Value::constant(scalarType(Scalar::kUInt64), static_cast<int64_t>(wide));
    }
    if (PyFloat_CheckExact(thing)) {
        return Value::constant(scalarType(Scalar::kFloat64), bitsOf(PyFloat_AS_DOUBLE(thing), scalarType(Scalar::kFloat64)));
    }
    const Type* part = scalarType(Scalar::kFloat64);
    Value real = Value::constant(part, bitsOf(PyComplex_RealAsDouble(thing), part));
    return makeComplex(real, Value::constant(part, bitsOf(PyComplex_ImagAsDouble(thing), part)), complexType(128));
}

namespace {

// Of a member of an enum; null for another object.
Ref<> enumValue(PyObject* object) {
    PyTypeObject* meta = Py_TYPE(Py_TYPE(object));
    bool isMember = std::strcmp(meta->tp_name, "EnumType") == 0;
    Ref<> value = Ref<>::steal(isMember ? PyObject_GetAttrString(object, "_value_") : nullptr);
    PyErr_Clear();
    return value;
}

}  // namespace

// The value of a Python object that is known at compile time: constants of the code, globals, closure variables.
Value FunctionBuilder::valueOfObject(Ref<> object, const Node& node) {
    PyObject* thing = object.get();
    if (thing == Py_None) {
        return Value::none();
    }
    if (PyBool_Check(thing) || PyLong_CheckExact(thing) || PyFloat_CheckExact(thing) || PyComplex_CheckExact(thing)) {
        return valueOfNumber(thing, node);
    }
    if (PyUnicode_Check(thing)) {
        Value text = Value::ofKind(ValueKind::kText);
        const char* bytes = PyUnicode_AsUTF8(thing);
        text.text = bytes != nullptr ? bytes : "";
        PyErr_Clear();
        return text;
    }
    if (Ref<> member = enumValue(thing)) {
        return valueOfObject(std::move(member), node);
    }
    if (PyTuple_Check(thing)) {
        bool isNamed = !PyTuple_CheckExact(thing);
        Value tuple = Value::tuple({}, isNamed ? Ref<>::borrow(reinterpret_cast<PyObject*>(Py_TYPE(thing))) : Ref<>());
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(thing); i++) {
            tuple.items.push_back(valueOfObject(Ref<>::borrow(PyTuple_GET_ITEM(thing, i)), node));
        }
        return tuple;
    }
    Value number = numpyScalar(thing);
    if (!number.isPoison()) {
        return number;
    }
    if (std::strcmp(Py_TYPE(thing)->tp_name, "numpy.ndarray") == 0) {
        return constantArray(thing, node);
    }
    for (const char* name : {"_kiln_array", "__cuda_array_interface__"}) {
        Ref<> interface = Ref<>::steal(PyType_Check(thing) ? nullptr : PyObject_GetAttrString(thing, name));
        PyErr_Clear();
        if (interface && PyDict_Check(interface.get())) {
            return globalArray(thing, interface.get(), name[0] == '_' && name[1] == '_', node);
        }
    }
    Value value = Value::ofKind(ValueKind::kObject);
    value.object = std::move(object);
    return value;
}

// A copy of the array as it is now, in constant memory.
Value FunctionBuilder::constantArray(PyObject* object, const Node& node) {
    constexpr Py_ssize_t kMostBytes = 65536;
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS_RO) != 0) {
        PyErr_Clear();
        return fail(node, "this array cannot be read");
    }
    StaticArray array;
    const Type* element = buffer.format != nullptr ? scalarOfFormat(buffer.format) : nullptr;
    element = element != nullptr ? element : elementOfObject(object);
    bool fits = element != nullptr && buffer.len <= kMostBytes && buffer.ndim <= kMaxDimensions;
    if (fits) {
        array.type = arrayType(element, buffer.ndim, Layout::kC, Space::kGlobal, true);
        array.shape.assign(buffer.shape, buffer.shape + buffer.ndim);
        array.bytes.resize(static_cast<size_t>(buffer.len));
        fits = PyBuffer_ToContiguous(array.bytes.data(), &buffer, buffer.len, 'C') == 0;
        PyErr_Clear();
    }
    Py_ssize_t bytes = buffer.len;
    PyBuffer_Release(&buffer);
    if (!fits) {
        return fail(node, element == nullptr ? "kernels do not know the elements of this array" :
                    "this array has " + std::to_string(bytes) + " bytes, and constant memory holds 65536; pass it as an argument");
    }
    // Named twice, or in a loop that is built again: once.
    auto& known = function().constants;
    auto same = std::find_if(known.begin(), known.end(), [&](const StaticArray& other) {
        return other.type == array.type && other.shape == array.shape && other.bytes == array.bytes;
    });
    auto index = static_cast<uint32_t>(same - known.begin());
    if (same == known.end()) {
        known.push_back(array);
    }
    return emit(Op::kConstantArray, array.type, {}, index);
}

// An array in device memory: where it is now. The kernel keeps the object, and sees what becomes of its elements.
Value FunctionBuilder::globalArray(PyObject* object, PyObject* interface, bool isForeign, const Node& node) {
    ArrayInterface found;
    if (!readArrayInterface(interface, found)) {
        PyErr_Clear();
        return fail(node, "kernels do not understand the __cuda_array_interface__ of this " + std::string(Py_TYPE(object)->tp_name));
    }
    GlobalArray array;
    array.isForeign = isForeign;
    array.address = found.data;
    array.shape.assign(found.shape, found.shape + found.ndim);
    array.strides.assign(found.strides, found.strides + found.ndim);
    array.type = arrayType(found.element, found.ndim, Layout::kA, Space::kGlobal, found.isReadonly);
    module_.kept.push_back(Ref<>::borrow(object));
    auto& known = function().globals;
    auto same = std::find_if(known.begin(), known.end(), [&](const GlobalArray& other) {
        return other.type == array.type && other.address == array.address && other.shape == array.shape && other.strides == array.strides;
    });
    auto index = static_cast<uint32_t>(same - known.begin());
    if (same == known.end()) {
        known.push_back(array);
    }
    return emit(Op::kGlobalArray, array.type, {}, index);
}

// NumPy's scalars keep their width: they have a dtype, and say what they are through the buffer protocol.
Value FunctionBuilder::numpyScalar(PyObject* object) {
    if (std::strncmp(Py_TYPE(object)->tp_name, "numpy.", 6) != 0 || !PyObject_CheckBuffer(object)) {
        return {};
    }
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_FORMAT | PyBUF_ND) != 0) {
        PyErr_Clear();
        return {};
    }
    const Type* type = buffer.ndim == 0 && buffer.format != nullptr ? scalarOfFormat(buffer.format) : nullptr;
    Value value;
    if (type != nullptr && type->isComplex() && type->bytes() == buffer.len) {
        int64_t bits[2] = {0, 0};
        auto half = static_cast<size_t>(buffer.len / 2);
        std::memcpy(&bits[0], buffer.buf, half);
        std::memcpy(&bits[1], static_cast<const char*>(buffer.buf) + half, half);
        value = makeComplex(Value::constant(partType(type), bits[0]), Value::constant(partType(type), bits[1]), type);
    } else if (type != nullptr && type->bytes() == buffer.len) {
        int64_t bits = 0;
        std::memcpy(&bits, buffer.buf, buffer.len);
        if (type->isSigned()) {
            bits = bits << (64 - type->bits) >> (64 - type->bits);
        }
        value = Value::constant(type, bits);
    }
    PyBuffer_Release(&buffer);
    return value;
}

Value FunctionBuilder::buildName(const Node& node) {
    auto found = state_.find(node.text);
    if (found != state_.end()) {
        return read(node.text, found->second, node);
    }
    if (locals_.count(node.text) > 0) {
        if (loops_.empty()) {
            return fail(node, "'" + node.text + "' is used before it is assigned", "NameError");
        }
        loops_.back()->undefined.try_emplace(node.text, &node);
        return {};
    }
    return buildGlobal(node);
}

// Closure variables, globals and builtins are constants: what they are when the kernel is compiled.
Value FunctionBuilder::buildGlobal(const Node& node) {
    Ref<> name = Ref<>::steal(PyUnicode_FromString(node.text.c_str()));
    PyCodeObject* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(object_));
    Ref<> free = Ref<>::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(code), "co_freevars"));
    PyObject* closure = PyFunction_GET_CLOSURE(object_);
    for (Py_ssize_t i = 0; free && closure != nullptr && i < PyTuple_GET_SIZE(free.get()); i++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(free.get(), i), name.get()) == 0) {
            PyObject* content = PyCell_GET(PyTuple_GET_ITEM(closure, i));
            if (content == nullptr) {
                return fail(node, "'" + node.text + "' of the enclosing function has no value yet", "NameError");
            }
            return valueOfObject(Ref<>::borrow(content), node);
        }
    }
    PyObject* found = PyDict_GetItemWithError(PyFunction_GET_GLOBALS(object_), name.get());
    if (found == nullptr) {
        Ref<> builtins = Ref<>::steal(PyObject_GetAttrString(object_, "__builtins__"));
        found = builtins && PyDict_Check(builtins.get()) ? PyDict_GetItemWithError(builtins.get(), name.get()) : nullptr;
    }
    PyErr_Clear();
    if (found == nullptr) {
        return fail(node, "name '" + node.text + "' is not defined", "NameError");
    }
    return valueOfObject(Ref<>::borrow(found), node);
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
    return fail(node, describe(base) + " has no attribute '" + name + "' in kernels");
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
    return fail(node, array.type->name + " has no attribute '" + name + "' in kernels");
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
    if (failed() || values[0].isPoison() || values[1].isPoison()) {
        return {};
    }
    if (values[0].isScalar() && values[1].isScalar() && isHarmless(*instruction.blocks[0]) &&
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
