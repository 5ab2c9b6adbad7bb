// super().name: a method that is found in a class of the program's is a constant of the instance's class and of the class that
// super() starts behind.
#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/region_builder.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// The class that has a method of this code, which its `__class__` is; nullptr when it is none, or decorated.
PyTypeObject* classOfMethod(PyTypeObject* cls, PyCodeObject* code) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(cls->tp_mro); index++) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(cls->tp_mro, index));
        PyObject* found = isProgramClass(base) ? PyDict_GetItemWithError(base->tp_dict, code->co_name) : nullptr;
        if (found != nullptr && PyFunction_Check(found) && PyFunction_GET_CODE(found) == reinterpret_cast<PyObject*>(code)) {
            return base;
        }
    }
    return nullptr;
}

struct FoundMethod {
    PyTypeObject* owner = nullptr;
    PyObject* function = nullptr;
};

// What super() finds for instances of `cls`, if it is a Python function.
FoundMethod methodBehind(PyTypeObject* cls, PyTypeObject* start, PyObject* name) {
    bool isBehind = false;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(cls->tp_mro); index++) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(cls->tp_mro, index));
        if (isBehind && !isProgramClass(base) && kiln_type_lookup(base, name) != nullptr) {
            return {};  // a built-in class's, or what that inherits
        }
        PyObject* found = isBehind && isProgramClass(base) ? PyDict_GetItemWithError(base->tp_dict, name) : nullptr;
        if (found != nullptr) {
            return PyFunction_Check(found) ? FoundMethod{base, found} : FoundMethod();
        }
        isBehind = isBehind || base == start;
    }
    return {};
}

}  // namespace

// [super, class, self] becomes [method, self].
bool RegionBuilder::superMethod(const BytecodeInstruction& in, PyObject* name) {
    const AbstractValue& start = top(1);
    bool isKnown = start.kind == Kind::kConstant || start.kind == Kind::kObject;
    if (!isKnown || !(in.oparg & 1) || !knowClass(in, 0, siteOf(in).receivers)) {
        return false;
    }
    PyTypeObject* cls = top().cls;
    // An instance that is a class itself may be looked up in by its own bases.
    PyTypeObject* expected = PyType_IsSubtype(cls, &PyType_Type) ? nullptr : classOfMethod(cls, state_.frame().code);
    FoundMethod found = expected != nullptr ? methodBehind(cls, expected, name) : FoundMethod();
    bool isOther = top(1).kind == Kind::kConstant && top(1).constant != reinterpret_cast<PyObject*>(expected);
    if (found.function == nullptr || isOther) {
        return false;
    }
    if (top(1).kind == Kind::kObject) {
        emitExiting(ir::Op::k_guard_is, {top(1).value}, ExitReason::k_object, objectIndex(expected, expected->tp_name));
    }
    dependOn(cls);
    result_.dependencies.push_back({found.owner->tp_dict, name, found.function});
    result_.functions.push_back(reinterpret_cast<PyFunctionObject*>(found.function));
    AbstractValue self = pop();
    releaseTop(2);
    push(std::move(self));
    pushMethod(in, found.function);
    return true;
}

// The frame need not be looked at for what stands on the stack: it all becomes the attribute.
bool RegionBuilder::superAttribute(const BytecodeInstruction& in) {
    const AbstractValue& callee = top(2);
    if (callee.kind != Kind::kConstant || callee.constant != reinterpret_cast<PyObject*>(&PySuper_Type)) {
        return false;
    }
    PyObject* name = PyTuple_GET_ITEM(state_.frame().code->co_names, in.oparg >> 2);
    if (superMethod(in, name)) {
        return true;
    }
    Id version = beforeOpaque(std::string("LOAD_SUPER_ATTR ") + PyUnicode_AsUTF8(name));
    if (stopped()) {
        return true;
    }
    std::vector<Id> operands;
    boxTop(3, operands);
    operands.push_back(constObject(name));
    OpaqueResult kind = in.oparg & 1 ? OpaqueResult::kCallable : OpaqueResult::kObject;
    finishOpaque(in, Helper::k_get_super_attribute, std::move(operands), 3, kind, version);
    return true;
}

}  // namespace kiln
