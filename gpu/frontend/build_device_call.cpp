// Calls of device functions, each of which is built once for the types of its arguments.
#include <algorithm>
#include <utility>

#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_function.h"

namespace kiln::gpu {
namespace {

constexpr int kMostDepth = 60;  // of device functions that call each other

void flattenArguments(const Value& value, std::vector<Value>& out) {
    if (value.hasParts() || value.kind == ValueKind::kClosure) {
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

// The result takes the shape of what the function returns: its parts are the results of the call, in order.
Value emitCall(FunctionBuilder& build, const Node& node, const ModuleBuilder::Callee& callee,
               const std::vector<Value>& arguments) {
    std::vector<Value> flat;
    for (const Value& argument : arguments) {
        flattenArguments(argument, flat);
    }
    std::vector<ValueId> operands;
    for (const Value& value : flat) {
        operands.push_back(build.use(value));
    }
    std::vector<Value> parts;
    Value result = callee.result;
    flattenArguments(result, parts);
    uint32_t index = callee.index;
    if (parts.empty()) {
        build.emitRaw(Op::kCall, nullptr, operands, index);
        return result;
    }
    Value first = build.emit(Op::kCall, parts[0].type, operands, index);
    int64_t next = 0;
    std::function<void(Value&)> fill = [&](Value& part) {
        if (part.hasParts()) {
            for (Value& item : part.items) {
                fill(item);
            }
        } else if (part.isHeld()) {
            part = next == 0 ? first : build.emit(Op::kCallResult, part.type, {first.id}, index, next);
            next++;
        }
    };
    fill(result);
    return result;
}

// A call in the function itself, whose result may not be known yet: then nothing is said of this one, and the function is built again.
Value callRecursive(FunctionBuilder& build, const Node& node, ModuleBuilder::Callee& callee,
                    const std::vector<Value>& arguments) {
    std::string told = callee.hasResult ? describe(callee.result) : "";
    callee.told = callee.isAsked && callee.told != told ? "several types" : told;
    callee.isAsked = true;
    build.module().hasUnknown = build.module().hasUnknown || !callee.hasResult;
    return callee.hasResult ? emitCall(build, node, callee, arguments) : Value();
}

// Again and again while calls in the function were told another result than it has in the end.
bool buildCallee(FunctionBuilder& build, const Node& node, const Callable& target,
                 std::shared_ptr<const FunctionSource> source, size_t position, const std::vector<Value>& types) {
    constexpr int kMostRounds = 4;
    uint32_t index = build.module().callees[position].index;
    size_t faults = build.module().module->faults.size();
    for (int round = 0; round < kMostRounds; round++) {
        auto& functions = build.module().module->functions;
        functions.resize(index + 1);
        functions[index] = std::make_unique<Function>();
        functions[index]->name =
            build.module().uniqueName(source->function->text.empty() ? "lambda" : source->function->text, index);
        build.module().callees.resize(position + 1);
        build.module().module->faults.resize(faults);
        build.module().exceptions.resize(faults);
        build.module().callees[position].isAsked = build.module().hasUnknown = false;
        FunctionBuilder builder(build.module(), index, target.function, source);
        bool built = buildFunction(builder, false, types, target.captured);
        ModuleBuilder::Callee& callee = build.module().callees[position];
        bool isUnknown = callee.isAsked && callee.told.empty();
        bool hasResult = !builder.returns().paths.empty() || !builder.isDead();
        if (isUnknown && (!built || !hasResult)) {
            build.module().error = {};
            build.fail(node, "cannot type infer runaway recursion: " + functions[index]->pythonName +
                                 " returns no value without calling itself");
            return false;
        }
        if (!built) {
            return false;
        }
        callee.result = builder.returns().result;
        callee.hasResult = callee.isAssumed = true;
        if (!callee.isAsked || callee.told == describe(callee.result)) {
            return true;
        }
    }
    build.fail(node, "Return type of recursive function does not converge: " +
                         build.module().module->functions[index]->pythonName);
    return false;
}

void forgetValue(Value& value, bool keepsConstants) {
    value.isConstant = value.isConstant && keepsConstants;
    value.id = kNoValue;
    value.slot = kNoValue;
    for (Value& item : value.items) {
        forgetValue(item, keepsConstants);
    }
}

Value callFunctionWith(FunctionBuilder& build, const Node& node, const Callable& target,
                       const std::vector<Value>& arguments, bool keepsConstants) {
    std::string shape;
    std::vector<Value> types = arguments;
    for (size_t i = 0; i < arguments.size(); i++) {
        shapeOfArgument(arguments[i], keepsConstants, shape);
        forgetValue(types[i], keepsConstants);
    }
    for (ModuleBuilder::Callee& callee : build.module().callees) {
        if (callee.function == target.identity && callee.arguments == shape) {
            return callee.finished ? emitCall(build, node, callee, arguments)
                                   : callRecursive(build, node, callee, arguments);
        }
    }
    std::string error;
    std::shared_ptr<const FunctionSource> source =
        target.source != nullptr ? target.source : readFunction(target.function, error);
    if (source == nullptr || build.module().depth > kMostDepth) {
        return build.fail(node, source == nullptr ? error : "device functions call each other too deeply");
    }
    auto index = static_cast<uint32_t>(build.module().module->functions.size());
    build.module().module->functions.push_back(std::make_unique<Function>());
    build.module().kept.push_back(Ref<>::borrow(target.function));
    size_t position = build.module().callees.size();
    build.module().callees.push_back({target.identity, shape, index, Value::none(), false, false});
    build.module().depth++;
    bool hadUnknown = std::exchange(build.module().hasUnknown, false);
    bool built = buildCallee(build, node, target, source, position, types);
    build.module().hasUnknown = build.module().hasUnknown || hadUnknown;
    build.module().depth--;
    if (!built) {
        return {};
    }
    build.module().callees[position].finished = true;
    return emitCall(build, node, build.module().callees[position], arguments);
}

}  // namespace

Value callDevice(FunctionBuilder& build, const Node& node, PyObject* target, const std::vector<Value>& arguments) {
    Callable callable = {target, target, nullptr, {}};
    return callFunction(build, node, callable, arguments);
}

// Whether the function may be another one for the constants among the arguments: where it asks for a literal, or where a flag leaves out
// what cannot be typed.
static bool mayNeedConstants(const std::string& error, const std::vector<Value>& arguments) {
    bool hasFlags = std::any_of(arguments.begin(), arguments.end(),
                                [](const Value& value) { return value.isScalar() && value.isConstant && value.type->isBool(); });
    return error == "RequireLiteralValue" || (hasFlags && (error == "TypingError" || error == "UnsupportedError"));
}

Value callFunction(FunctionBuilder& build, const Node& node, const Callable& target,
                   const std::vector<Value>& arguments) {
    Module& module = *build.module().module;
    size_t functions = module.functions.size();
    size_t callees = build.module().callees.size();
    size_t faults = module.faults.size();
    Value result = callFunctionWith(build, node, target, arguments, false);
    if (!build.failed() || !mayNeedConstants(build.module().error.errorClass, arguments)) {
        return result;
    }
    CompileError first = build.module().error;
    build.module().error = {};
    module.functions.resize(functions);
    build.module().callees.resize(callees);
    module.faults.resize(faults);
    build.module().exceptions.resize(faults);
    result = callFunctionWith(build, node, target, arguments, true);
    if (build.failed() && build.module().error.errorClass == "RequireLiteralValue") {
        build.module().error = first;
    }
    return result;
}

}  // namespace kiln::gpu
