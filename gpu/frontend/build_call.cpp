// Calls: what is called, with which arguments.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/build_ufunc.h"
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
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
    for (Value& argument : arguments) {
        if (argument.isPoison()) {
            return false;
        }
        refreshClosure(argument);
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

Value FunctionBuilder::callIntrinsic(const Node& node, const Intrinsic& row, const Value& callee, std::vector<Value> given) {
    if (isElementwise(row, given)) {
        return callElementwise(*this, node, row, callee, std::move(given));
    }
    Call call = {node, row, callee, {}, {}};
    return bindArguments(call, std::move(given)) ? handle(call) : Value();
}

// NumPy's functions of complex numbers may be cmath's.
Value FunctionBuilder::handle(Call& call) {
    bool isComplex = std::strncmp(call.row.name, "numpy.", 6) == 0 &&
                     std::any_of(call.arguments.begin(), call.arguments.end(),
                                 [](const Value& value) { return value.isScalar() && value.type->isComplex(); });
    Ref<> written = isComplex ? overloadOf(call.callee, call.arguments) : Ref<>();
    if (failed()) {
        return {};
    }
    if (!written) {
        return call.row.handler(*this, call);
    }
    module_.kept.push_back(written);
    return callDevice(call.node, written.get(), call.arguments);
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
        if (self.isHeld() || self.kind == ValueKind::kTuple) {
            return callMethod(node, self);
        }
    }
    Value callee = buildExpression(function);
    std::vector<Value> arguments;
    return callee.isPoison() || !collectArguments(node, arguments) ? Value() : callValue(node, callee, arguments);
}

Value FunctionBuilder::callValue(const Node& node, const Value& callee, std::vector<Value>& arguments) {
    if (callee.kind == ValueKind::kClosure) {
        return callClosure(node, callee, std::move(arguments));
    }
    if (callee.kind != ValueKind::kObject) {
        return fail(*node.child(0), describe(callee) + " cannot be called");
    }
    return callObject(node, callee, arguments);
}

// Of a number, an array, a record or a tuple: one that kiln has, then one that the program has registered, then a field that can be called.
Value FunctionBuilder::callMethod(const Node& node, const Value& self) {
    const Node& function = *node.child(0);
    if (self.isScalar() && (function.text == "conjugate" || function.text == "conj") && node.list(1).empty()) {
        return conjugate(self);
    }
    const Intrinsic* method = self.isArray() ? findIntrinsic("array." + function.text) : nullptr;
    std::vector<Value> arguments;
    if (!collectArguments(node, arguments)) {
        return {};
    }
    Ref<> registered = method == nullptr ? memberOf(self, function.text, &arguments) : Ref<>();
    if (failed()) {
        return {};
    }
    if (method == nullptr && !registered && self.isArray()) {
        return fail(function, "arrays have no method '" + function.text + "' in kernels", "UnsupportedError");
    }
    if (method == nullptr && !registered) {
        Value callee = attribute(function, self, function.text);
        return callee.isPoison() ? Value() : callValue(node, callee, arguments);
    }
    arguments.insert(arguments.begin(), self);
    if (method != nullptr) {
        return callIntrinsic(node, *method, self, std::move(arguments));
    }
    return completeArguments(node, registered.get(), arguments) ? callDevice(node, registered.get(), arguments) : Value();
}

Value FunctionBuilder::callObject(const Node& node, const Value& callee, std::vector<Value>& arguments) {
    bool hasStructures = std::any_of(arguments.begin(), arguments.end(), isStructure);
    const Intrinsic* row = findIntrinsic(intrinsicName(callee.object.get()));
    Ref<> overload = hasStructures && row != nullptr ? overloadOf(callee, arguments) : Ref<>();
    if (row != nullptr && !overload) {
        return failed() ? Value() : callIntrinsic(node, *row, callee, std::move(arguments));
    }
    if (const Type* type = typeNamedBy(callee)) {
        return cast(node, type, arguments);
    }
    if (PyType_Check(callee.object.get()) && PyObject_HasAttrString(callee.object.get(), "_fields") != 0) {
        return callClass(node, callee, arguments);
    }
    Ref<> external = Ref<>::steal(PyObject_GetAttrString(callee.object.get(), "_kiln_external"));
    PyErr_Clear();
    if (external) {
        return callExternal(node, external.get(), arguments);
    }
    if (!overload) {
        overload = overloadOf(callee, arguments);
    }
    PyObject* target = overload ? overload.get() : deviceFunction(callee.object.get());
    if (failed() || target == nullptr) {
        return failed() ? Value() : failCall(*node.child(0), callee.object.get());
    }
    return callTarget(node, overload ? target : callee.object.get(), target, arguments);
}

// A named tuple.
Value FunctionBuilder::callClass(const Node& node, const Value& callee, std::vector<Value>& arguments) {
    Ref<> fields = Ref<>::steal(PyObject_GetAttrString(callee.object.get(), "_fields"));
    size_t count = fields && PyTuple_Check(fields.get()) ? static_cast<size_t>(PyTuple_GET_SIZE(fields.get())) : 0;
    PyErr_Clear();
    size_t used = 0;
    for (size_t i = arguments.size(); i < count; i++) {
        const Node* given = keyword(node, PyUnicode_AsUTF8(PyTuple_GET_ITEM(fields.get(), static_cast<Py_ssize_t>(i))));
        if (given != nullptr) {
            arguments.push_back(buildExpression(*given));
            used++;
        }
    }
    if (arguments.size() != count || used != node.list(2).size()) {
        return fail(node, describe(callee) + " takes " + std::to_string(count) + " values");
    }
    return Value::tuple(std::move(arguments), callee.object);
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
    if (type->isTime()) {
        return makeTime(node, type, arguments);
    }
    if (arguments.size() != 1 || !node.list(2).empty()) {
        return fail(node, type->name + " takes one number here");
    }
    const Value& value = arguments[0];
    if (value.isScalar() && value.type->kind == Kind::kDuration && type->isInteger()) {
        return convert(timeBits(value), type);
    }
    bool fits = value.isScalar() && (type->isComplex() || !value.type->isComplex());
    return fits ? convert(value, type)
                : fail(node, type->name + " takes a real number, and this is " + describe(value));
}

}  // namespace kiln::gpu
