// A whole function: its parameters, its body, its returns.
#include "gpu/frontend/build_function.h"

#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_return.h"
#include "gpu/frontend/build_statement.h"
#include "gpu/frontend/names.h"

namespace kiln::gpu {
namespace {

// What a name of a parameter means: the parameters of the IR's function that hold the argument's parts.
Value declareParameter(FunctionBuilder& build, const std::string& name, const Value& argument) {
    if (argument.kind == ValueKind::kClosure) {
        Value closure = argument;
        for (size_t i = 0; i < argument.items.size(); i++) {
            closure.items[i] = declareParameter(build, name + "_" + argument.closure->captured[i], argument.items[i]);
        }
        return closure;
    }
    if (argument.hasParts()) {
        Value tuple = Value::partsLike(argument);
        for (size_t i = 0; i < argument.items.size(); i++) {
            tuple.items.push_back(declareParameter(build, name + "_" + std::to_string(i), argument.items[i]));
        }
        return tuple;
    }
    if (!argument.isHeld()) {
        return argument;
    }
    Value value = build.addParameter(name, argument.type);
    value.isConstant = argument.isConstant;  // of a literal that the function needs to know
    value.bits = argument.bits;
    return value;
}

// What is captured comes first; a parameter with * takes the rest.
bool declareParameters(FunctionBuilder& build, const std::vector<std::string>& captured, std::vector<Value> arguments) {
    const Node& definition = *build.source().function;
    const Node& parameters = *definition.child(0);
    if (!parameters.list(3).empty() || parameters.child(5) != nullptr) {
        build.fail(definition, "a kernel cannot have **kwargs or keyword-only parameters");
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
        build.fail(definition,
                   build.function().pythonName + " takes " + std::to_string(wanted) +
                       (wanted == 1 ? " argument" : " arguments") + ", but " + std::to_string(given) +
                       (given == 1 ? " was given" : " were given"),
                   "TypeError");
        return false;
    }
    for (size_t i = 0; i < names.size(); i++) {
        Value value = declareParameter(build, names[i], arguments[i]);
        // A parameter that is assigned to is a variable like any other; the others stay what they are.
        build.names()[names[i]] = build.isLocal(names[i]) ? bindName(build, names[i], value) : value;
    }
    return true;
}

void buildLambda(FunctionBuilder& build, const Node& expression) {
    build.start(expression);
    Value value = buildMaybe(build, expression);
    if (!build.failed()) {
        build.append({Op::kReturn});
        addReturn(build, expression, value);
    }
}

}  // namespace

bool buildFunction(FunctionBuilder& build, bool isKernel, const std::vector<Value>& arguments,
                   const std::vector<std::string>& captured) {
    build.module().scratch = kNoValue;
    Function& target = build.function();
    const Node& definition = *build.source().function;
    bool isLambda = definition.kind == NodeKind::kLambda;
    target.isKernel = isKernel;
    target.file = build.source().file;
    target.line = definition.line;
    target.pythonName = isLambda ? "<lambda>" : definition.text;
    if (!declareParameters(build, captured, arguments)) {
        return false;
    }
    if (isLambda) {
        buildLambda(build, *definition.child(1));
    } else {
        buildBody(build, definition.list(1));
    }
    if (build.failed()) {
        return false;
    }
    const Returns& returns = build.returns();
    if (!isLambda && !build.isDead() && !returns.paths.empty() && !returns.result.isNone()) {
        if (build.module().isLoop) {
            build.fail(definition, target.pythonName + " does not return a value on all its paths");
            return false;
        }
        build.append({Op::kReturn});
        addReturn(build, definition, Value::none());
        if (build.failed()) {
            return false;
        }
    }
    finishReturns(build);
    build.module().scratch = kNoValue;
    return !build.failed();
}

}  // namespace kiln::gpu
