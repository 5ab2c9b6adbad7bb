// Functions that the package numba gives for others: for those of cmath and libdevice, and what programs register by overload().
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"
#include "gpu/frontend/type_description.h"

namespace kiln::gpu {

namespace {

// Of each argument the integer, bool or text that it is if that is known when the kernel is compiled, else None.
Ref<> knownValues(const std::vector<Value>& arguments) {
    Ref<> tuple = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(arguments.size())));
    for (size_t i = 0; tuple && i < arguments.size(); i++) {
        const Value& value = arguments[i];
        bool isKnown = value.isScalar() && value.isConstant && (value.type->isInteger() || value.type->isBool());
        PyObject* known = value.kind == ValueKind::kText     ? exactString(value.text).release()
                          : isKnown && value.type->isBool()  ? PyBool_FromLong(value.bits != 0)
                          : isKnown && value.type->isSigned() ? PyLong_FromLongLong(value.bits)
                          : isKnown                          ? PyLong_FromUnsignedLongLong(static_cast<uint64_t>(value.bits))
                                                             : Py_NewRef(Py_None);
        if (known == nullptr) {
            return {};
        }
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), known);
    }
    return tuple;
}

}  // namespace

Ref<> overloadOf(FunctionBuilder& build, const Value& callee, const std::vector<Value>& arguments, const Keywords& named) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.overloads"));
    Ref<> names = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(named.size())));
    std::vector<Value> all = arguments;
    for (size_t i = 0; names && i < named.size(); i++) {
        all.push_back(named[i].second);
        PyTuple_SET_ITEM(names.get(), static_cast<Py_ssize_t>(i), exactString(named[i].first->text).release());
    }
    Ref<> types = module && names ? describedTypes(all) : Ref<>();
    Ref<> values = types ? knownValues(all) : Ref<>();
    Ref<> found = Ref<>::steal(values ? PyObject_CallMethod(module.get(), "find", "OOiOO", callee.object.get(), types.get(),
                                                            build.module().isLoop ? 1 : 0, values.get(), names.get())
                                      : nullptr);
    if (!found) {
        build.fail(build.statement(), takeMessage());
        return {};
    }
    return found.get() == Py_None || !PyFunction_Check(found.get()) ? Ref<>() : found;
}

Ref<> memberOf(FunctionBuilder& build, const Value& self, const std::string& name,
               const std::vector<Value>* arguments) {
    std::vector<Value> given = {self};
    if (arguments != nullptr) {
        given.insert(given.end(), arguments->begin(), arguments->end());
    }
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.overloads"));
    Ref<> types = module ? describedTypes(given) : Ref<>();
    Ref<> found = Ref<>::steal(types ? PyObject_CallMethod(module.get(), "find_member", "sOi", name.c_str(), types.get(), arguments != nullptr)
                                     : nullptr);
    if (!found) {
        build.fail(build.statement(), takeMessage());
        return {};
    }
    if (!PyFunction_Check(found.get())) {
        return {};
    }
    build.module().kept.push_back(found);
    return found;
}

bool hasMethod(FunctionBuilder& build, const Value& self, const std::string& name) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.overloads"));
    Ref<> types = module ? describedTypes({self}) : Ref<>();
    Ref<> found = Ref<>::steal(types ? PyObject_CallMethod(module.get(), "has_method", "sO", name.c_str(), types.get()) : nullptr);
    if (!found) {
        build.fail(build.statement(), takeMessage());
    }
    return found.get() == Py_True;
}

bool isStructure(const Value& value) {
    return value.kind == ValueKind::kTuple && value.object && PyObject_HasAttrString(value.object.get(), "_kiln_struct") != 0;
}

Value registeredOperator(FunctionBuilder& build, const Node& node, const char* name,
                         const std::vector<Value>& operands) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.overloads"));
    Ref<> types = module ? describedTypes(operands) : Ref<>();
    Ref<> found = Ref<>::steal(types ? PyObject_CallMethod(module.get(), "find_operator", "sO", name, types.get()) : nullptr);
    if (!found) {
        return build.fail(node, takeMessage());
    }
    if (!PyFunction_Check(found.get())) {
        std::string told;
        for (const Value& operand : operands) {
            told += (told.empty() ? "" : " and ") + describe(operand);
        }
        return build.fail(node, "operator." + std::string(name) + " does not work on " + told +
                                    "; numba.extending.overload() defines it");
    }
    build.module().kept.push_back(found);
    return callDevice(build, node, found.get(), operands);
}

Value callTarget(FunctionBuilder& build, const Node& node, PyObject* callee, PyObject* target,
                 std::vector<Value>& arguments, const Keywords* built) {
    build.module().kept.push_back(Ref<>::borrow(target));
    if (!completeArguments(build, node, target, arguments, built)) {
        return {};
    }
    Ref<> module = Ref<>::steal(callee != target ? PyImport_ImportModule("numba.overloads") : nullptr);
    Ref<> types = module ? describedTypes(arguments) : Ref<>();
    Ref<> found = Ref<>::steal(types ? PyObject_CallMethod(module.get(), "find_signature", "OO", callee, types.get()) : nullptr);
    if (!found) {
        return callee != target ? build.fail(node, takeMessage()) : callDevice(build, node, target, arguments);
    }
    auto castTo = [&](const Value& value, Py_ssize_t i) {
        Value named = Value::ofKind(ValueKind::kObject);
        named.object = Ref<>::borrow(PyTuple_GET_ITEM(found.get(), i));
        const Type* type = value.isScalar() && named.object.get() != Py_None ? typeNamedBy(named) : nullptr;
        return type != nullptr ? convert(build, value, type) : value;
    };
    bool isSigned = PyTuple_Check(found.get()) && static_cast<size_t>(PyTuple_GET_SIZE(found.get())) == arguments.size() + 1;
    for (size_t i = 0; isSigned && i < arguments.size(); i++) {
        arguments[i] = castTo(arguments[i], static_cast<Py_ssize_t>(i));
    }
    Value result = callDevice(build, node, target, arguments);
    return isSigned ? castTo(result, static_cast<Py_ssize_t>(arguments.size())) : result;
}

// What an object of the package's says that calling it gives: cuda.cg.this_grid().
Value callConstant(FunctionBuilder& build, Call& call) {
    Ref<> result = Ref<>::steal(PyObject_GetAttrString(call.callee.object.get(), "_kiln_result"));
    return result ? valueOfObject(build, std::move(result), call.node) : build.fail(call.node, takeMessage());
}

// literal_unroll and its kin.
Value callIdentity(FunctionBuilder&, Call& call) {
    return call[0];
}

}  // namespace kiln::gpu
