// Building a function: emission of instructions, conversions, errors.
#include "gpu/frontend/function_builder.h"

#include <algorithm>

namespace kiln::gpu {
namespace {

void collectTargets(const Node& node, std::set<std::string>& names);

void collectNames(const Node& target, std::set<std::string>& names) {
    if (target.kind == NodeKind::kName) {
        names.insert(target.text);
    }
    if (target.kind == NodeKind::kTuple || target.kind == NodeKind::kList) {
        for (const auto& item : target.list(0)) {
            collectNames(*item, names);
        }
    }
}

// The names that a function assigns: they are local everywhere in it.
void collectTargets(const Node& node, std::set<std::string>& names) {
    switch (node.kind) {
    case NodeKind::kAssign:
    case NodeKind::kAugAssign:
    case NodeKind::kAnnAssign:
    case NodeKind::kFor:
    case NodeKind::kNamedExpr:
        for (const auto& target : node.list(0)) {
            collectNames(*target, names);
        }
        break;
    case NodeKind::kFunctionDef: names.insert(node.text); return;
    case NodeKind::kLambda: return;
    default: break;
    }
    for (const auto& field : node.fields) {
        for (const auto& child : field) {
            collectTargets(*child, names);
        }
    }
}

std::string shown(const std::vector<std::string>& lines, const Node& node) {
    if (node.line < 1 || static_cast<size_t>(node.line) > lines.size()) {
        return "";
    }
    const std::string& line = lines[node.line - 1];
    size_t begin = std::min(line.find_first_not_of(" \t"), static_cast<size_t>(node.column));
    size_t width = node.endLine == node.line ? node.endColumn - node.column : line.size() - node.column;
    std::string blank = line.substr(begin, node.column - begin);
    std::fill(blank.begin(), blank.end(), ' ');
    return "\n    " + line.substr(begin) + "\n    " + blank + std::string(std::max<size_t>(width, 1), '^');
}

}  // namespace

// "module 'math'", "function 'f'", "class 'C'", or the type of another object.
static std::string describeObject(PyObject* object) {
    const char* kind = PyModule_Check(object)     ? "module '"
                       : PyType_Check(object)     ? "class '"
                       : PyCallable_Check(object) ? "function '"
                                                  : nullptr;
    Ref<> name = Ref<>::steal(kind != nullptr ? PyObject_GetAttrString(object, "__name__") : nullptr);
    const char* text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name.get()) : nullptr;
    PyErr_Clear();
    return text != nullptr ? kind + std::string(text) + "'"
                           : std::string("a Python object of type ") + Py_TYPE(object)->tp_name;
}

std::string describe(const Value& value) {
    switch (value.kind) {
    case ValueKind::kPoison: return "undefined";
    case ValueKind::kNone: return "none";
    case ValueKind::kScalar:
    case ValueKind::kArray: return value.type->name;
    case ValueKind::kRecord: return value.type->element->name;
    case ValueKind::kText: return "a string";
    case ValueKind::kObject: return describeObject(value.object.get());
    case ValueKind::kClosure: return "a nested function";
    case ValueKind::kSlice: return "a slice";
    case ValueKind::kRange: return "a range";
    case ValueKind::kEnumerate: return "an enumerate";
    case ValueKind::kZip: return "a zip";
    case ValueKind::kMethod: return "a method";
    case ValueKind::kMixed: return value.text;
    case ValueKind::kTuple: break;
    }
    Ref<> name = Ref<>::steal(value.object ? PyObject_GetAttrString(value.object.get(), "__name__") : nullptr);
    PyErr_Clear();
    std::string text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name.get()) + std::string("(") : "Tuple(";
    for (size_t i = 0; i < value.items.size(); i++) {
        text += (i > 0 ? ", " : "") + describe(value.items[i]);
    }
    return text + ")";
}

FunctionBuilder::FunctionBuilder(ModuleBuilder& module, PyObject* object, std::shared_ptr<const FunctionSource> source)
    : module_(module), object_(object), source_(std::move(source)) {
    for (const auto& statement : source_->function->list(1)) {
        collectTargets(*statement, locals_);
    }
}

Value FunctionBuilder::fail(const Node& node, const std::string& message, const char* errorClass) {
    if (!failed()) {
        const char* kind = function().isKernel ? "kernel" : "device function";
        module_.error = {true, errorClass,
                         message + "\n  in " + kind + " " + function().pythonName + ", " + source_->file + ":" +
                             std::to_string(node.line) + shown(source_->lines, node)};
    }
    return {};
}

Instruction& FunctionBuilder::append(Instruction instruction) {
    instruction.line = line_;
    block_->code.push_back(std::move(instruction));
    return block_->code.back();
}

ValueId FunctionBuilder::emitRaw(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index, int64_t bits) {
    Instruction instruction;
    instruction.op = op;
    instruction.operands = std::move(operands);
    instruction.index = index;
    instruction.bits = bits;
    if (type != nullptr) {
        instruction.type = type;
        instruction.result = static_cast<ValueId>(function().values.size());
        function().values.push_back(type);
    }
    return append(std::move(instruction)).result;
}

Value FunctionBuilder::emit(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index, int64_t bits) {
    Value value = Value::ofType(type);
    value.id = emitRaw(op, type, std::move(operands), index, bits);
    return value;
}

// The IR value of a scalar or array. After an error: some value, so that building can go on to its end.
ValueId FunctionBuilder::use(const Value& value) {
    if (value.isConstant) {
        return emitRaw(Op::kConstant, value.type, {}, 0, value.bits);
    }
    if (value.id == kNoValue) {
        return emitRaw(Op::kConstant, scalarType(Scalar::kInt64), {}, 0, 0);
    }
    return value.id;
}

Value FunctionBuilder::convert(const Value& value, const Type* type) {
    if (!value.isScalar() || value.type == type) {
        return value;
    }
    if (type->isTime() || value.type->isTime()) {
        return convertTime(value, type);
    }
    if (type->isBrain() || value.type->isBrain()) {
        return convertBrain(value, type);
    }
    if (type->isComplex()) {
        return toComplex(value, type);
    }
    if (value.type->isComplex() && !type->isBool()) {
        return fail(*statement_, value.type->name + " cannot become " + type->name + "; take its .real, or abs()");
    }
    if (value.isConstant && type->isFloat()) {
        return Value::constant(type, bitsOf(nearestOf(value.bits, value.type), type));
    }
    if (value.isConstant && !value.type->isFloat() && type->isInteger() && type->bits == 64) {
        return Value::constant(type, value.bits);
    }
    return emit(Op::kConvert, type, {use(value)});
}

Value FunctionBuilder::truth(const Value& value, const Node& node) {
    switch (value.kind) {
    case ValueKind::kPoison: return value;
    case ValueKind::kNone: return Value::constant(scalarType(Scalar::kBool), 0);
    case ValueKind::kText: return Value::constant(scalarType(Scalar::kBool), !value.text.empty());
    case ValueKind::kTuple: return Value::constant(scalarType(Scalar::kBool), !value.items.empty());
    case ValueKind::kScalar:
        if (value.isConstant) {
            return Value::constant(scalarType(Scalar::kBool), nearestOf(value.bits, value.type) != 0);
        }
        if (value.type->isComplex()) {
            return unary(node, UnaryOperator::kNot,
                         complexBinary(Op::kEqual, value, convert(Value::integer(0), value.type)));
        }
        return convert(value, scalarType(Scalar::kBool));
    default: return fail(node, describe(value) + " cannot be a condition");
    }
}

uint32_t FunctionBuilder::slotFor(const std::string& name, const Type* type) {
    auto [found, isNew] = slots_.try_emplace({name, type}, 0);
    if (!isNew) {
        return found->second;
    }
    std::string unique;
    for (char c : name) {
        unique += (static_cast<unsigned char>(c) < 128) ? std::string(1, c) : "_u";
    }
    if (slotNames_.count(unique) > 0) {
        unique += std::string("_") + (type->isScalar() ? type : type->element)->cName();
    }
    while (!slotNames_.insert(unique).second) {
        unique += "_";
    }
    found->second = static_cast<uint32_t>(function().variables.size());
    function().variables.push_back({unique, type});
    return found->second;
}

std::unique_ptr<Block> FunctionBuilder::inBlock(const std::function<void()>& build) {
    auto block = std::make_unique<Block>();
    Block* outer = std::exchange(block_, block.get());
    build();
    block_ = outer;
    return block;
}

Value FunctionBuilder::declareParameter(const std::string& name, const Value& argument) {
    if (argument.kind == ValueKind::kClosure) {
        Value closure = argument;
        for (size_t i = 0; i < argument.items.size(); i++) {
            closure.items[i] = declareParameter(name + "_" + argument.closure->captured[i], argument.items[i]);
        }
        return closure;
    }
    if (argument.kind == ValueKind::kTuple) {
        Value tuple = Value::tuple({}, argument.object);
        for (size_t i = 0; i < argument.items.size(); i++) {
            tuple.items.push_back(declareParameter(name + "_" + std::to_string(i), argument.items[i]));
        }
        return tuple;
    }
    if (!argument.isHeld()) {
        return argument;
    }
    Function& target = function();
    uint32_t position = static_cast<uint32_t>(target.parameters.size());
    slotNames_.insert(name);
    target.parameterNames.push_back(name);
    target.parameters.push_back(argument.type);
    Value value = emit(Op::kParameter, argument.type, {}, position);
    value.isConstant = argument.isConstant;  // of a literal that the function needs to know
    value.bits = argument.bits;
    return value;
}

// What is captured comes first; a parameter with * takes the rest.
bool FunctionBuilder::declareParameters(const std::vector<std::string>& captured, std::vector<Value> arguments) {
    const Node& parameters = *source_->function->child(0);
    if (!parameters.list(3).empty() || parameters.child(5) != nullptr) {
        fail(*source_->function, "a kernel cannot have **kwargs or keyword-only parameters");
        return false;
    }
    std::vector<std::string> names = captured;
    for (size_t field = 0; field < 2; field++) {
        for (const auto& name : parameters.list(field)) {
            names.push_back(name->text);
        }
    }
    if (const Node* rest = parameters.child(2); rest != nullptr && arguments.size() >= names.size()) {
        auto first = arguments.begin() + static_cast<std::ptrdiff_t>(names.size());
        Value tuple = Value::tuple({first, arguments.end()});
        arguments.erase(first, arguments.end());
        arguments.push_back(std::move(tuple));
        names.push_back(rest->text);
    }
    if (names.size() != arguments.size()) {
        size_t wanted = names.size() - captured.size();
        size_t given = arguments.size() - captured.size();
        fail(*source_->function,
             function().pythonName + " takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") +
                 ", but " + std::to_string(given) + (given == 1 ? " was given" : " were given"),
             "TypeError");
        return false;
    }
    line_ = source_->function->line;
    for (size_t i = 0; i < names.size(); i++) {
        Value value = declareParameter(names[i], arguments[i]);
        // A parameter that is assigned to is a variable like any other; the others stay what they are.
        state_[names[i]] = locals_.count(names[i]) > 0 ? bind(names[i], value) : value;
    }
    return true;
}

bool FunctionBuilder::build(uint32_t index, bool isKernel, const std::vector<Value>& arguments,
                            const std::vector<std::string>& captured) {
    index_ = index;
    module_.scratch = kNoValue;
    Function& target = function();
    const Node& definition = *source_->function;
    target.isKernel = isKernel;
    target.file = source_->file;
    target.line = definition.line;
    target.pythonName = definition.kind == NodeKind::kLambda ? "<lambda>" : definition.text;
    block_ = &target.body;
    if (!declareParameters(captured, arguments)) {
        return false;
    }
    if (definition.kind == NodeKind::kLambda) {
        line_ = definition.line;
        statement_ = definition.child(1);
        Value value = buildExpression(*definition.child(1));
        if (!failed()) {
            append({Op::kReturn});
            addReturn(*definition.child(1), value);
        }
    } else {
        buildBody(definition.list(1));
    }
    if (failed()) {
        return false;
    }
    if (!dead_ && hasResult_ && !result_.isNone() && definition.kind != NodeKind::kLambda) {
        fail(definition, function().pythonName + " does not return a value on all its paths");
    }
    finishReturns();
    module_.scratch = kNoValue;
    return !failed();
}

}  // namespace kiln::gpu
