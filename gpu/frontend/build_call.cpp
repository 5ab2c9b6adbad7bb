// Calls: of intrinsics, types, methods of arrays, and device functions.
#include <algorithm>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

constexpr int kMostDepth = 60;  // of device functions that call each other

}  // namespace

const Node* FunctionBuilder::keyword(const Node& node, const char* name) {
    for (const auto& given : node.list(2)) {
        if (given->text == name) {
            return given->child(0);
        }
    }
    return nullptr;
}

bool FunctionBuilder::collectArguments(const Node& node, std::vector<Value>& arguments) {
    for (const auto& argument : node.list(1)) {
        if (argument->kind == NodeKind::kStarred) {
            Value inner = buildExpression(*argument->child(0));
            if (inner.kind != ValueKind::kTuple) {
                fail(*argument, "only tuples can be unpacked into arguments, and this is " + describe(inner));
                return false;
            }
            arguments.insert(arguments.end(), inner.items.begin(), inner.items.end());
            continue;
        }
        arguments.push_back(buildExpression(*argument));
    }
    for (const Value& argument : arguments) {
        if (argument.isPoison()) {
            return false;
        }
    }
    return !failed();
}

namespace {

struct Parameter {
    std::string name;
    bool isOptional = false;
    bool isPositional = false;  // never a keyword
};

// A row's parameters. `rest`: where one with * takes what is left, or npos; what follows it are options.
std::vector<Parameter> parametersOf(const char* text, size_t& rest) {
    std::vector<Parameter> parameters;
    rest = std::string::npos;
    std::string word;
    for (const char* c = text;; c++) {
        if (*c != ',' && *c != '\0') {
            word += *c == ' ' ? "" : std::string(1, *c);
            continue;
        }
        if (word == "/") {
            for (Parameter& parameter : parameters) {
                parameter.isPositional = true;
            }
        } else if (word[0] == '*') {
            rest = parameters.size();
        } else if (!word.empty()) {
            bool isOptional = word.back() == '=';
            parameters.push_back({word.substr(0, word.size() - (isOptional ? 1 : 0)), isOptional, false});
        }
        word.clear();
        if (*c == '\0') {
            return parameters;
        }
    }
}

}  // namespace

// What is given by position, then what is given by name.
bool FunctionBuilder::bindArguments(Call& call, std::vector<Value> given) {
    size_t rest = 0;
    std::vector<Parameter> parameters = parametersOf(call.row.parameters, rest);
    bool takesRest = rest != std::string::npos;
    size_t most = takesRest ? rest : parameters.size();
    auto countsOf = [&] {
        size_t least = 0;
        for (size_t i = 0; i < most; i++) {
            least += !parameters[i].isOptional;
        }
        std::string count = takesRest       ? std::to_string(least) + " or more"
                            : least == most ? std::to_string(least)
                                            : std::to_string(least) + " to " + std::to_string(most);
        return call.name() + " takes " + count + " arguments here, and got " +
               std::to_string(given.size() + call.node.list(2).size());
    };
    if (given.size() > most && !takesRest) {
        fail(call.node, countsOf());
        return false;
    }
    std::vector<bool> isGiven(parameters.size());
    std::fill(isGiven.begin(), isGiven.begin() + static_cast<std::ptrdiff_t>(std::min(given.size(), most)), true);
    size_t positional = given.size();
    call.arguments = std::move(given);
    for (const auto& named : call.node.list(2)) {
        auto found = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
            return parameter.name == named->text && !parameter.isPositional;
        });
        auto place = static_cast<size_t>(found - parameters.begin());
        if (found == parameters.end() || isGiven[place] || named->text.empty()) {
            fail(call.node,
                 call.name() + " takes no keyword argument '" + (named->text.empty() ? "**" : named->text) + "' here");
            return false;
        }
        isGiven[place] = true;
        Value value = buildExpression(*named->child(0));
        if (place >= most) {
            call.options[named->text] = value;
            continue;
        }
        if (place >= call.arguments.size()) {
            call.arguments.resize(place + 1, Value::none());
        }
        call.arguments[place] = value;
    }
    for (size_t i = 0; i < most; i++) {
        if (!isGiven[i] && !parameters[i].isOptional) {
            given.resize(positional);
            fail(call.node, countsOf());
            return false;
        }
    }
    return !failed();
}

Value FunctionBuilder::callIntrinsic(const Node& node, const Intrinsic& row, std::vector<Value> given) {
    Call call = {node, row, {}, {}};
    return bindArguments(call, std::move(given)) ? row.handler(*this, call) : Value();
}

bool FunctionBuilder::scalars(const Call& call) {
    for (const Value& argument : call.arguments) {
        if (!argument.isScalar() || argument.type->isComplex()) {
            fail(call.node, call.name() + " works on real numbers, and this is " + describe(argument));
            return false;
        }
    }
    return true;
}

Value FunctionBuilder::buildCall(const Node& node) {
    const Node& function = *node.child(0);
    if (function.kind == NodeKind::kAttribute) {
        Value self = buildExpression(*function.child(0));
        if (self.isPoison()) {
            return self;
        }
        if (self.isScalar() && (function.text == "conjugate" || function.text == "conj") && node.list(1).empty()) {
            return conjugate(self);
        }
        if (self.isArray()) {
            std::vector<Value> arguments;
            const Intrinsic* method = findIntrinsic("array." + function.text);
            if (method == nullptr) {
                return fail(function, "arrays have no method '" + function.text + "' in kernels", "UnsupportedError");
            }
            arguments.push_back(self);
            return collectArguments(node, arguments) ? callIntrinsic(node, *method, std::move(arguments)) : Value();
        }
    }
    Value callee = buildExpression(function);
    std::vector<Value> arguments;
    if (callee.isPoison() || !collectArguments(node, arguments)) {
        return {};
    }
    if (callee.kind != ValueKind::kObject) {
        return fail(function, describe(callee) + " cannot be called");
    }
    return callObject(node, callee, arguments);
}

Value FunctionBuilder::callObject(const Node& node, const Value& callee, std::vector<Value>& arguments) {
    if (const Intrinsic* row = findIntrinsic(intrinsicName(callee.object.get()))) {
        return callIntrinsic(node, *row, std::move(arguments));
    }
    if (const Type* type = typeNamedBy(callee)) {
        return cast(node, type, arguments);
    }
    PyObject* target = deviceFunction(callee.object.get());
    if (target == nullptr) {
        return failCall(*node.child(0), callee.object.get());
    }
    return completeArguments(node, target, arguments) ? callDevice(node, target, arguments) : Value();
}

// Keyword arguments in their places, then defaults, which are constants. What is missing then is an error of the call.
bool FunctionBuilder::completeArguments(const Node& node, PyObject* target, std::vector<Value>& arguments) {
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(target));
    Ref<> names = Ref<>::steal(PyCode_GetVarnames(code));
    PyObject* defaults = PyFunction_GET_DEFAULTS(target);
    auto count = static_cast<size_t>(code->co_argcount);
    size_t optional = defaults != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(defaults)) : 0;
    size_t used = 0;
    for (size_t i = arguments.size(); names && i < count; i++) {
        const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names.get(), static_cast<Py_ssize_t>(i)));
        const Node* given = keyword(node, name);
        used += given != nullptr;
        if (given != nullptr) {
            arguments.push_back(buildExpression(*given));
        } else if (i + optional >= count) {
            arguments.push_back(valueOfObject(
                Ref<>::borrow(PyTuple_GET_ITEM(defaults, static_cast<Py_ssize_t>(i + optional - count))), node));
        } else {
            break;
        }
    }
    if (used != node.list(2).size()) {
        fail(node, "a keyword argument here is no parameter of the function that has no value yet");
    }
    return !failed();
}

Value FunctionBuilder::cast(const Node& node, const Type* type, std::vector<Value>& arguments) {
    if (arguments.size() != 1 || !node.list(2).empty()) {
        return fail(node, type->name + " takes one number here");
    }
    const Value& value = arguments[0];
    bool fits = value.isScalar() && (type->isComplex() || !value.type->isComplex());
    return fits ? convert(value, type)
                : fail(node, type->name + " takes a real number, and this is " + describe(value));
}

namespace {

void flattenArguments(const Value& value, std::vector<Value>& out) {
    if (value.kind == ValueKind::kTuple) {
        for (const Value& item : value.items) {
            flattenArguments(item, out);
        }
    } else if (value.isScalar() || value.isArray()) {
        out.push_back(value);
    }
}

// What identifies a compiled form of a function: types, and compile-time values that are not numbers.
void shapeOfArgument(const Value& value, std::string& out) {
    out += describe(value) + value.text + ";";
    if (value.kind == ValueKind::kObject) {
        out += std::to_string(reinterpret_cast<uintptr_t>(value.object.get()));
    }
}

}  // namespace

Value FunctionBuilder::callDevice(const Node& node, PyObject* target, const std::vector<Value>& arguments) {
    std::string shape;
    for (const Value& argument : arguments) {
        shapeOfArgument(argument, shape);
    }
    for (const ModuleBuilder::Callee& callee : module_.callees) {
        if (callee.function == target && callee.arguments == shape) {
            if (!callee.finished && !callee.hasResult) {
                return fail(node,
                            "the type of this recursive call is not known yet; return a value that needs no recursion "
                            "in a branch before it");
            }
            return emitCall(node, callee, arguments);
        }
    }
    std::string error;
    std::shared_ptr<const FunctionSource> source = readFunction(target, error);
    if (source == nullptr || module_.depth > kMostDepth) {
        return fail(node, source == nullptr ? error : "device functions call each other too deeply");
    }
    uint32_t index = static_cast<uint32_t>(module_.module->functions.size());
    module_.module->functions.push_back(std::make_unique<Function>());
    Function& made = *module_.module->functions.back();
    made.name = uniqueName(source->function->text.empty() ? "lambda" : source->function->text, index);
    module_.kept.push_back(Ref<>::borrow(target));
    size_t position = module_.callees.size();
    module_.callees.push_back({target, shape, index, Value::none(), false, false});
    std::vector<Value> types = arguments;
    for (Value& type : types) {
        forgetValue(type);
    }
    module_.depth++;
    FunctionBuilder builder(module_, target, source);
    bool built = builder.build(index, false, types);
    module_.depth--;
    if (!built) {
        return {};
    }
    module_.callees[position].finished = true;
    module_.callees[position].result = builder.result();
    return emitCall(node, module_.callees[position], arguments);
}

void FunctionBuilder::forgetValue(Value& value) {
    value.isConstant = false;
    value.id = kNoValue;
    value.slot = kNoValue;
    for (Value& item : value.items) {
        forgetValue(item);
    }
}

std::string FunctionBuilder::uniqueName(const std::string& name, uint32_t index) {
    std::string unique;
    for (char c : name) {
        unique += static_cast<unsigned char>(c) < 128 ? std::string(1, c) : "_u";
    }
    for (const auto& function : module_.module->functions) {
        if (function->name == unique) {
            return unique + "_" + std::to_string(index);
        }
    }
    return unique;
}

// The result takes the shape of what the function returns: its parts are the results of the call, in order.
Value FunctionBuilder::emitCall(const Node& node, const ModuleBuilder::Callee& callee,
                                const std::vector<Value>& arguments) {
    std::vector<Value> flat;
    for (const Value& argument : arguments) {
        flattenArguments(argument, flat);
    }
    std::vector<ValueId> operands;
    for (const Value& value : flat) {
        operands.push_back(use(value));
    }
    std::vector<Value> parts;
    Value result = callee.result;
    flattenArguments(result, parts);
    uint32_t index = callee.index;
    if (parts.empty()) {
        emitRaw(Op::kCall, nullptr, operands, index);
        return result;
    }
    Value first = emit(Op::kCall, parts[0].type, operands, index);
    int64_t next = 0;
    std::function<void(Value&)> fill = [&](Value& part) {
        if (part.kind == ValueKind::kTuple) {
            for (Value& item : part.items) {
                fill(item);
            }
        } else if (part.isScalar() || part.isArray()) {
            part = next == 0 ? first : emit(Op::kCallResult, part.type, {first.id}, index, next);
            next++;
        }
    };
    fill(result);
    return result;
}

}  // namespace kiln::gpu
