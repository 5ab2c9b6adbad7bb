// Calls of device functions, each of which is built once for the types of its arguments.
#include <utility>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

constexpr int kMostDepth = 60;  // of device functions that call each other

void flattenArguments(const Value& value, std::vector<Value>& out) {
    if (value.kind == ValueKind::kTuple || value.kind == ValueKind::kClosure) {
        for (const Value& item : value.items) {
            flattenArguments(item, out);
        }
    } else if (value.isHeld()) {
        out.push_back(value);
    }
}

// What identifies a compiled form of a function: types, and compile-time values that are not numbers.
void shapeOfArgument(const Value& value, bool keepsConstants, std::string& out) {
    out += describe(value) + value.text;
    out += keepsConstants && value.isConstant ? "=" + std::to_string(value.bits) : "";
    if (value.object) {
        out += " " + std::to_string(reinterpret_cast<uintptr_t>(value.object.get()));
    }
    if (value.closure != nullptr) {
        out += " " + std::to_string(reinterpret_cast<uintptr_t>(value.closure->source->function.get()));
    }
    for (const Value& item : value.items) {
        out += "(";
        shapeOfArgument(item, keepsConstants, out);
        out += ")";
    }
    out += ";";
}

}  // namespace

Value FunctionBuilder::callDevice(const Node& node, PyObject* target, const std::vector<Value>& arguments) {
    Callable callable = {target, target, nullptr, {}};
    return callFunction(node, callable, arguments);
}

// Arguments that are constants are numbers like others, unless the function needs to know them, for the shape of an array.
Value FunctionBuilder::callFunction(const Node& node, const Callable& target, const std::vector<Value>& arguments) {
    Module& module = *module_.module;
    size_t functions = module.functions.size();
    size_t callees = module_.callees.size();
    size_t faults = module.faults.size();
    Value result = callFunctionWith(node, target, arguments, false);
    if (!failed() || module_.error.errorClass != "RequireLiteralValue") {
        return result;
    }
    CompileError first = module_.error;
    module_.error = {};
    module.functions.resize(functions);
    module_.callees.resize(callees);
    module.faults.resize(faults);
    module_.exceptions.resize(faults);
    result = callFunctionWith(node, target, arguments, true);
    if (failed() && module_.error.errorClass == "RequireLiteralValue") {
        module_.error = first;
    }
    return result;
}

Value FunctionBuilder::callFunctionWith(const Node& node, const Callable& target, const std::vector<Value>& arguments,
                                        bool keepsConstants) {
    std::string shape;
    std::vector<Value> types = arguments;
    for (size_t i = 0; i < arguments.size(); i++) {
        shapeOfArgument(arguments[i], keepsConstants, shape);
        forgetValue(types[i], keepsConstants);
    }
    for (ModuleBuilder::Callee& callee : module_.callees) {
        if (callee.function == target.identity && callee.arguments == shape) {
            return callee.finished ? emitCall(node, callee, arguments) : callRecursive(node, callee, arguments);
        }
    }
    std::string error;
    std::shared_ptr<const FunctionSource> source =
        target.source != nullptr ? target.source : readFunction(target.function, error);
    if (source == nullptr || module_.depth > kMostDepth) {
        return fail(node, source == nullptr ? error : "device functions call each other too deeply");
    }
    auto index = static_cast<uint32_t>(module_.module->functions.size());
    module_.module->functions.push_back(std::make_unique<Function>());
    module_.kept.push_back(Ref<>::borrow(target.function));
    size_t position = module_.callees.size();
    module_.callees.push_back({target.identity, shape, index, Value::none(), false, false});
    module_.depth++;
    bool hadUnknown = std::exchange(module_.hasUnknown, false);
    bool built = buildCallee(node, target, source, position, types);
    module_.hasUnknown = module_.hasUnknown || hadUnknown;
    module_.depth--;
    if (!built) {
        return {};
    }
    module_.callees[position].finished = true;
    return emitCall(node, module_.callees[position], arguments);
}

// A call in the function itself, whose result may not be known yet: then nothing is said of this one, and the function is built again.
Value FunctionBuilder::callRecursive(const Node& node, ModuleBuilder::Callee& callee,
                                     const std::vector<Value>& arguments) {
    std::string told = callee.hasResult ? describe(callee.result) : "";
    callee.told = callee.isAsked && callee.told != told ? "several types" : told;
    callee.isAsked = true;
    module_.hasUnknown = module_.hasUnknown || !callee.hasResult;
    return callee.hasResult ? emitCall(node, callee, arguments) : Value();
}

// Again and again while calls in the function were told another result than it has in the end.
bool FunctionBuilder::buildCallee(const Node& node, const Callable& target,
                                  std::shared_ptr<const FunctionSource> source, size_t position,
                                  const std::vector<Value>& types) {
    constexpr int kMostRounds = 4;
    uint32_t index = module_.callees[position].index;
    size_t faults = module_.module->faults.size();
    for (int round = 0; round < kMostRounds; round++) {
        auto& functions = module_.module->functions;
        functions.resize(index + 1);
        functions[index] = std::make_unique<Function>();
        functions[index]->name = uniqueName(source->function->text.empty() ? "lambda" : source->function->text, index);
        module_.callees.resize(position + 1);
        module_.module->faults.resize(faults);
        module_.exceptions.resize(faults);
        module_.callees[position].isAsked = module_.hasUnknown = false;
        FunctionBuilder builder(module_, target.function, source);
        bool built = builder.build(index, false, types, target.captured);
        ModuleBuilder::Callee& callee = module_.callees[position];
        bool isUnknown = callee.isAsked && callee.told.empty();
        bool hasResult = builder.hasResult_ || !builder.dead_;
        if (isUnknown && (!built || !hasResult)) {
            module_.error = {};
            fail(node, "cannot type infer runaway recursion: " + functions[index]->pythonName +
                           " returns no value without calling itself");
            return false;
        }
        if (!built) {
            return false;
        }
        callee.result = builder.result();
        callee.hasResult = callee.isAssumed = true;
        if (!callee.isAsked || callee.told == describe(callee.result)) {
            return true;
        }
    }
    fail(node, "Return type of recursive function does not converge: " + module_.module->functions[index]->pythonName);
    return false;
}

void FunctionBuilder::forgetValue(Value& value, bool keepsConstants) {
    value.isConstant = value.isConstant && keepsConstants;
    value.id = kNoValue;
    value.slot = kNoValue;
    for (Value& item : value.items) {
        forgetValue(item, keepsConstants);
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
        } else if (part.isHeld()) {
            part = next == 0 ? first : emit(Op::kCallResult, part.type, {first.id}, index, next);
            next++;
        }
    };
    fill(result);
    return result;
}

}  // namespace kiln::gpu
