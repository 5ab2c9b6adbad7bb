// Calls: what is called, with which arguments.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_closure.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_external.h"
#include "gpu/frontend/build_iterables.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_times.h"
#include "gpu/frontend/build_ufunc.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
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

// What is given by position, then what is given by name.
bool bindArguments(FunctionBuilder& build, Call& call, std::vector<Value> given) {
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
        build.fail(call.node, countsOf());
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
            build.fail(call.node, call.name() + " takes no keyword argument '" +
                                      (named->text.empty() ? "**" : named->text) + "' here");
            return false;
        }
        isGiven[place] = true;
        Value value = plain(buildExpression(build, *named->child(0)));
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
            build.fail(call.node, countsOf());
            return false;
        }
    }
    return !build.failed();
}

Value callIntrinsic(FunctionBuilder& build, const Node& node, const Intrinsic& row, const Value& callee,
                    std::vector<Value> given) {
    makePlain(given);
    if (std::strcmp(row.name, "builtins.bool") != 0) {
        makePresent(build, node, given);
    }
    if (isElementwise(row, given)) {
        return callElementwise(build, node, row, callee, std::move(given));
    }
    Call call = {node, row, callee, {}, {}};
    return bindArguments(build, call, std::move(given)) ? callHandler(build, call) : Value();
}

// A named tuple.
Value callClass(FunctionBuilder& build, const Node& node, const Value& callee, std::vector<Value>& arguments) {
    Ref<> fields = Ref<>::steal(PyObject_GetAttrString(callee.object.get(), "_fields"));
    size_t count = fields && PyTuple_Check(fields.get()) ? static_cast<size_t>(PyTuple_GET_SIZE(fields.get())) : 0;
    PyErr_Clear();
    size_t used = 0;
    for (size_t i = arguments.size(); i < count; i++) {
        const Node* given = keywordOf(node, textOrEmpty(PyTuple_GET_ITEM(fields.get(), static_cast<Py_ssize_t>(i))));
        if (given != nullptr) {
            arguments.push_back(buildExpression(build, *given));
            used++;
        }
    }
    if (arguments.size() != count || used != node.list(2).size()) {
        return build.fail(node, describe(callee) + " takes " + std::to_string(count) + " values");
    }
    return Value::tuple(std::move(arguments), callee.object);
}

Value callType(FunctionBuilder& build, const Node& node, const Type* type, std::vector<Value>& arguments) {
    if (type->isTime()) {
        return makeTime(build, node, type, arguments);
    }
    if (arguments.size() != 1 || !node.list(2).empty()) {
        return build.fail(node, type->name + " takes one number here");
    }
    const Value& value = arguments[0];
    if (value.isScalar() && value.type->kind == Kind::kDuration && type->isInteger()) {
        return convert(build, timeBits(build, value), type);
    }
    if (type->isBool() && value.isScalar() && value.type->isComplex()) {
        return truth(build, value, node);
    }
    bool fits = value.isScalar() && (type->isComplex() || !value.type->isComplex());
    return fits ? convert(build, value, type)
                : build.fail(node, type->name + " takes a real number, and this is " + describe(value));
}

// Optional values go to device functions and bool() as they are, to others as their values. False for what asks what its argument is.
bool passOptionals(FunctionBuilder& build, const Node& node, const Value& callee, const Intrinsic* row, std::vector<Value>& arguments) {
    std::string name = row != nullptr ? row->name : "";
    for (const Value& argument : arguments) {
        bool isAsked = name == "builtins.print" || name == "builtins.isinstance" || name == "builtins.type" || name == "builtins.hasattr";
        if (argument.kind == ValueKind::kOptional && isAsked) {
            build.fail(node, name.substr(name.find('.') + 1) + " does not take " + describe(argument) +
                                 " in kernels, which is None on some paths; call it under 'if ... is not None'");
            return false;
        }
    }
    if (deviceFunction(callee.object.get()) == nullptr && name != "builtins.bool") {
        makePresent(build, node, arguments);
    }
    return true;
}

const Value& valueOf(const Keywords& built, const Node* given) {
    return std::find_if(built.begin(), built.end(), [&](const auto& keyword) { return keyword.first->child(0) == given; })->second;
}

Keywords buildKeywords(FunctionBuilder& build, const Node& node) {
    Keywords named;
    for (const auto& given : node.list(2)) {
        named.emplace_back(given.get(), buildMaybe(build, *given->child(0)));
    }
    return named;
}

Value callObject(FunctionBuilder& build, const Node& node, const Value& callee, std::vector<Value>& arguments) {
    const Intrinsic* row = findIntrinsic(intrinsicName(callee.object.get()));
    if (!passOptionals(build, node, callee, row, arguments)) {
        return {};
    }
    bool hasStructures = std::any_of(arguments.begin(), arguments.end(), isStructure);
    Ref<> overload = hasStructures ? overloadOf(build, callee, arguments) : Ref<>();
    if (build.failed()) {
        return {};
    }
    if (row != nullptr && !overload) {
        return callIntrinsic(build, node, *row, callee, std::move(arguments));
    }
    if (const Type* type = overload ? nullptr : typeNamedBy(callee)) {
        makePlain(arguments);
        return callType(build, node, type, arguments);
    }
    if (PyType_Check(callee.object.get()) && PyObject_HasAttrString(callee.object.get(), "_fields") != 0) {
        return callClass(build, node, callee, arguments);
    }
    if (isEnum(callee.object.get())) {
        return callEnum(build, node, callee, arguments);
    }
    Ref<> external = Ref<>::steal(PyObject_GetAttrString(callee.object.get(), "_kiln_external"));
    PyErr_Clear();
    if (external) {
        makePlain(arguments);
        return callExternal(build, node, external.get(), arguments);
    }
    Keywords named;
    if (!overload) {
        named = buildKeywords(build, node);
        overload = overloadOf(build, callee, arguments, named);
    }
    PyObject* target = overload ? overload.get() : deviceFunction(callee.object.get());
    if (build.failed() || target == nullptr) {
        return build.failed() ? Value() : failCall(build, *node.child(0), callee.object.get());
    }
    return callTarget(build, node, overload ? target : callee.object.get(), target, arguments, named.empty() ? nullptr : &named);
}

Value callValue(FunctionBuilder& build, const Node& node, const Value& callee, std::vector<Value>& arguments) {
    if (callee.kind == ValueKind::kClosure) {
        return callClosure(build, node, callee, std::move(arguments));
    }
    if (callee.kind != ValueKind::kObject) {
        return build.fail(*node.child(0), describe(callee) + " cannot be called");
    }
    return callObject(build, node, callee, arguments);
}

// Of a number, an array, a record or a tuple: one that kiln has, then one that the program has registered, then a field that can be called.
Value callMethod(FunctionBuilder& build, const Node& node, const Value& self) {
    const Node& function = *node.child(0);
    if (self.isScalar() && (function.text == "conjugate" || function.text == "conj") && node.list(1).empty()) {
        return conjugate(build, self);
    }
    if (self.isScalar() && function.text == "item" && node.list(1).empty() && node.list(2).empty()) {
        return self;
    }
    const Intrinsic* method = self.isArray() ? findIntrinsic("array." + function.text) : nullptr;
    std::vector<Value> arguments;
    if (!collectArguments(build, node, arguments)) {
        return {};
    }
    makePresent(build, node, arguments);
    if (isText(self)) {
        return callTextMethod(build, node, self, function.text, arguments);
    }
    bool isOfTuple = self.kind == ValueKind::kTuple && (function.text == "index" || function.text == "count") && arguments.size() == 1;
    if (isOfTuple && !isStructure(self)) {
        return callTupleMethod(build, node, plain(self), function.text, plain(arguments[0]));
    }
    Ref<> registered = method == nullptr ? memberOf(build, self, function.text, &arguments) : Ref<>();
    if (build.failed()) {
        return {};
    }
    if (method == nullptr && !registered && self.isArray()) {
        return build.fail(function, "arrays have no method '" + function.text + "' in kernels", "UnsupportedError");
    }
    if (method == nullptr && !registered) {
        Value callee = readAttribute(build, function, self, function.text);
        return callee.isPoison() ? Value() : callValue(build, node, callee, arguments);
    }
    arguments.insert(arguments.begin(), self);
    if (method != nullptr) {
        return callIntrinsic(build, node, *method, self, std::move(arguments));
    }
    return completeArguments(build, node, registered.get(), arguments)
               ? callDevice(build, node, registered.get(), arguments)
               : Value();
}

}  // namespace

const Node* keywordOf(const Node& node, const std::string& name) {
    for (const auto& given : node.list(2)) {
        if (given->text == name) {
            return given->child(0);
        }
    }
    return nullptr;
}

bool collectArguments(FunctionBuilder& build, const Node& node, std::vector<Value>& arguments) {
    for (const auto& argument : node.list(1)) {
        if (argument->kind == NodeKind::kStarred) {
            Value inner = buildExpression(build, *argument->child(0));
            if (inner.kind != ValueKind::kTuple) {
                build.fail(*argument, "only tuples can be unpacked into arguments, and this is " + describe(inner));
                return false;
            }
            arguments.insert(arguments.end(), inner.items.begin(), inner.items.end());
            continue;
        }
        arguments.push_back(buildMaybe(build, *argument));
    }
    for (Value& argument : arguments) {
        if (argument.isPoison()) {
            return false;
        }
        refreshClosure(build, argument);
    }
    return !build.failed();
}

Value callHandler(FunctionBuilder& build, Call& call) {
    bool isComplex = std::strncmp(call.row.name, "numpy.", 6) == 0 &&
                     std::any_of(call.arguments.begin(), call.arguments.end(),
                                 [](const Value& value) { return value.isScalar() && value.type->isComplex(); });
    Ref<> written = isComplex ? overloadOf(build, call.callee, call.arguments) : Ref<>();
    if (build.failed()) {
        return {};
    }
    if (!written) {
        return call.row.handler(build, call);
    }
    build.module().kept.push_back(written);
    return callDevice(build, call.node, written.get(), call.arguments);
}

bool requireScalars(FunctionBuilder& build, const Call& call) {
    for (const Value& argument : call.arguments) {
        if (!argument.isScalar() || argument.type->isComplex()) {
            build.fail(call.node, call.name() + " works on real numbers, and this is " + describe(argument));
            return false;
        }
    }
    return true;
}

Value buildCall(FunctionBuilder& build, const Node& node) {
    const Node& function = *node.child(0);
    if (function.kind == NodeKind::kAttribute) {
        Value self = buildExpression(build, *function.child(0));
        if (self.isPoison()) {
            return self;
        }
        bool isType = self.kind == ValueKind::kText && function.text == "type";  // of an array's dtype
        if (self.isHeld() || self.kind == ValueKind::kTuple || (isText(self) && !isType)) {
            return callMethod(build, node, self);
        }
    }
    Value callee = buildExpression(build, function);
    std::vector<Value> arguments;
    return callee.isPoison() || !collectArguments(build, node, arguments) ? Value()
                                                                          : callValue(build, node, callee, arguments);
}

bool completeArguments(FunctionBuilder& build, const Node& node, PyObject* target, std::vector<Value>& arguments, const Keywords* built) {
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(target));
    Ref<> names = Ref<>::steal(PyCode_GetVarnames(code));
    PyObject* defaults = PyFunction_GET_DEFAULTS(target);
    auto count = static_cast<size_t>(code->co_argcount);
    size_t optional = defaults != nullptr ? static_cast<size_t>(PyTuple_GET_SIZE(defaults)) : 0;
    size_t used = 0;
    for (size_t i = arguments.size(); names && i < count; i++) {
        const Node* given = keywordOf(node, textOrEmpty(PyTuple_GET_ITEM(names.get(), static_cast<Py_ssize_t>(i))));
        used += given != nullptr;
        if (given != nullptr) {
            arguments.push_back(built != nullptr ? valueOf(*built, given) : buildMaybe(build, *given));
        } else if (i + optional >= count) {
            arguments.push_back(valueOfObject(
                build, Ref<>::borrow(PyTuple_GET_ITEM(defaults, static_cast<Py_ssize_t>(i + optional - count))), node));
        } else {
            break;
        }
    }
    if (used != node.list(2).size()) {
        build.fail(node, "a keyword argument here is no parameter of the function that has no value yet");
    }
    return !build.failed();
}

}  // namespace kiln::gpu
