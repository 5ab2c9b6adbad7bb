// Functions and lambdas that are defined in kernels and device functions: device functions that get what they capture as
// arguments.
#include "gpu/frontend/function_builder.h"

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

// Captures what of this function it names, and what of that is known already.
Value FunctionBuilder::closureOf(const Node& definition) {
    auto source = std::make_shared<FunctionSource>();
    source->file = source_->file;
    source->lines = source_->lines;
    source->function = std::shared_ptr<const Node>(source_->function, &definition);
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
        auto found = state_.find(name);
        if (found != state_.end()) {
            closure->captured.push_back(name);
            value.items.push_back(read(name, found->second, definition));
        }
    }
    closure->source = source;
    closure->definer = index_;
    closure->function = object_;
    value.closure = closure;
    return value;
}

// What it captures is what that is where the function is called or handed on.
void FunctionBuilder::refreshClosure(Value& value) {
    if (value.kind != ValueKind::kClosure || value.closure->definer != index_) {
        return;
    }
    for (size_t i = 0; i < value.items.size(); i++) {
        auto found = state_.find(value.closure->captured[i]);
        if (found != state_.end()) {
            value.items[i] = read(found->first, found->second, *source_->function);
            refreshClosure(value.items[i]);
        }
    }
}

Value FunctionBuilder::callClosure(const Node& node, Value closure, std::vector<Value> arguments) {
    refreshClosure(closure);
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
        const Node* given = keyword(node, own[i]->text.c_str());
        used += given != nullptr;
        if (given == nullptr && i + defaults.size() >= own.size()) {
            given = defaults[i + defaults.size() - own.size()].get();
        }
        if (given == nullptr) {
            break;
        }
        arguments.push_back(buildExpression(*given));
    }
    if (used != node.list(2).size()) {
        return fail(node, "a keyword argument here is no parameter of the function that has no value yet");
    }
    std::vector<Value> all = closure.items;
    all.insert(all.end(), arguments.begin(), arguments.end());
    Callable callable = {&definition, code.function, code.source, code.captured};
    return failed() ? Value() : callFunction(node, callable, all);
}

}  // namespace kiln::gpu
