// Functions that the package numba gives for others: for those of cmath and libdevice, and what programs register by overload().
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/type_description.h"

namespace kiln::gpu {

Ref<> overloadOf(FunctionBuilder& build, const Value& callee, const std::vector<Value>& arguments) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.overloads"));
    Ref<> types = module ? describedTypes(arguments) : Ref<>();
    Ref<> found = Ref<>::steal(types ? PyObject_CallMethod(module.get(), "find", "OOi", callee.object.get(),
                                                           types.get(), build.module().isLoop ? 1 : 0)
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
                 std::vector<Value>& arguments) {
    build.module().kept.push_back(Ref<>::borrow(target));
    if (!completeArguments(build, node, target, arguments)) {
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
