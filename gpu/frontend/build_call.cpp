// Calls: of intrinsics, types, methods of arrays, and device functions.
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

bool FunctionBuilder::expect(const Node& node, const std::vector<Value>& arguments, size_t least, size_t most) {
    if (arguments.size() >= least && arguments.size() <= most) {
        return true;
    }
    std::string count = least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
    fail(node, callee_ + " takes " + count + " arguments here, and got " + std::to_string(arguments.size()));
    return false;
}

bool FunctionBuilder::scalars(const Node& node, const std::vector<Value>& arguments) {
    for (const Value& argument : arguments) {
        if (!argument.isScalar() || argument.type->isComplex()) {
            fail(node, callee_ + " works on real numbers, and this is " + describe(argument));
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
            return collectArguments(node, arguments) ? callMethod(function, self, arguments) : Value();
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
    std::string name = intrinsicName(callee.object.get());
    if (Handler handler = findHandler(name)) {
        callee_ = name;
        return (this->*handler)(node, arguments);
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
            arguments.push_back(valueOfObject(Ref<>::borrow(PyTuple_GET_ITEM(defaults, static_cast<Py_ssize_t>(i + optional - count))), node));
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
    callee_ = type->name;
    if (!expect(node, arguments, 1, 1) || (!type->isComplex() && !scalars(node, arguments))) {
        return {};
    }
    return arguments[0].isScalar() ? convert(arguments[0], type)
                                   : fail(node, callee_ + " takes a number, and this is " + describe(arguments[0]));
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
                return fail(node, "the type of this recursive call is not known yet; return a value that needs no recursion "
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
Value FunctionBuilder::emitCall(const Node& node, const ModuleBuilder::Callee& callee, const std::vector<Value>& arguments) {
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
