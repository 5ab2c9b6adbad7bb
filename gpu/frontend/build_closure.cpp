// Functions and lambdas that are defined in kernels and device functions: device functions that get what they capture as
// arguments.
#include "gpu/frontend/build_closure.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/names.h"

namespace kiln::gpu {
namespace {

void collectNames(const Node& node, std::set<std::string>& names) {
    if (node.kind == NodeKind::kName) {
        names.insert(node.text);
    }
    for (const auto& field : node.fields) {
        for (const auto& child : field) {
            collectNames(*child, names);
        }
    }
}

}  // namespace

Value closureOf(FunctionBuilder& build, const Node& definition) {
    auto source = std::make_shared<FunctionSource>();
    source->file = build.source().file;
    source->lines = build.source().lines;
    source->function = std::shared_ptr<const Node>(build.source().function, &definition);
    std::set<std::string> names;
    for (const auto& part : definition.list(1)) {
        collectNames(*part, names);
    }
    for (const auto& field : {0, 1}) {
        for (const auto& parameter : definition.child(0)->list(static_cast<size_t>(field))) {
            names.erase(parameter->text);
        }
    }
    auto closure = std::make_shared<Closure>();
    Value value = Value::ofKind(ValueKind::kClosure);
    for (const std::string& name : names) {
        auto found = build.names().find(name);
        if (found != build.names().end()) {
            closure->captured.push_back(name);
            value.items.push_back(readName(build, name, found->second, definition));
        }
    }
    closure->source = source;
    closure->definer = build.index();
    closure->function = build.object();
    value.closure = closure;
    return value;
}

void refreshClosure(FunctionBuilder& build, Value& value) {
    if (value.kind != ValueKind::kClosure || value.closure->definer != build.index()) {
        return;
    }
    for (size_t i = 0; i < value.items.size(); i++) {
        auto found = build.names().find(value.closure->captured[i]);
        if (found != build.names().end()) {
            value.items[i] = readName(build, found->first, found->second, *build.source().function);
            refreshClosure(build, value.items[i]);
        }
    }
}

Value callClosure(FunctionBuilder& build, const Node& node, Value closure, std::vector<Value> arguments) {
    refreshClosure(build, closure);
    const Closure& code = *closure.closure;
    const Node& definition = *code.source->function;
    const Node& parameters = *definition.child(0);
    std::vector<const Node*> own;
    for (size_t field = 0; field < 2; field++) {
        for (const auto& parameter : parameters.list(field)) {
            own.push_back(parameter.get());
        }
    }
    const auto& defaults = parameters.list(6);
    size_t used = 0;
    for (size_t i = arguments.size(); i < own.size(); i++) {
        const Node* given = keywordOf(node, own[i]->text);
        used += given != nullptr;
        if (given == nullptr && i + defaults.size() >= own.size()) {
            given = defaults[i + defaults.size() - own.size()].get();
        }
        if (given == nullptr) {
            break;
        }
        arguments.push_back(buildMaybe(build, *given));
    }
    if (used != node.list(2).size()) {
        return build.fail(node, "a keyword argument here is no parameter of the function that has no value yet");
    }
    std::vector<Value> all = closure.items;
    all.insert(all.end(), arguments.begin(), arguments.end());
    Callable callable = {&definition, code.function, code.source, code.captured};
    return build.failed() ? Value() : callFunction(build, node, callable, all);
}

}  // namespace kiln::gpu
