// super().name: a method that is found in a class of the program's is a constant of the instance's class and of the class that
// super() starts behind.
#include "interp/cpython/cpython_shim.h"
#include "interp/python_text.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
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

// [super, class, self] becomes [method, self].
bool superMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    const AbstractValue& start = b.top(1);
    bool isKnown = start.kind == Kind::kConstant || start.kind == Kind::kObject;
    if (!isKnown || !(in.oparg & 1) || !knowClass(b, in, 0, b.siteOf(in).receivers)) {
        return false;
    }
    PyTypeObject* cls = b.top().cls;
    // An instance that is a class itself may be looked up in by its own bases.
    PyTypeObject* expected = PyType_IsSubtype(cls, &PyType_Type) ? nullptr : classOfMethod(cls, b.state().frame().code);
    FoundMethod found = expected != nullptr ? methodBehind(cls, expected, name) : FoundMethod();
    bool isOther = b.top(1).kind == Kind::kConstant && b.top(1).constant != reinterpret_cast<PyObject*>(expected);
    if (found.function == nullptr || isOther) {
        return false;
    }
    if (b.top(1).kind == Kind::kObject) {
        b.emitExiting(ir::Op::k_guard_is, {b.top(1).value}, ExitReason::k_object,
                      b.objectIndex(expected, expected->tp_name));
    }
    dependOn(b, cls);
    b.result().dependencies.push_back({found.owner->tp_dict, name, found.function});
    b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(found.function));
    AbstractValue self = b.pop();
    releaseTop(b, 2);
    b.push(std::move(self));
    pushMethod(b, in, found.function);
    return true;
}

}  // namespace

// The frame need not be looked at for what stands on the stack: it all becomes the attribute.
bool superAttribute(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& callee = b.top(2);
    if (callee.kind != Kind::kConstant || callee.constant != reinterpret_cast<PyObject*>(&PySuper_Type)) {
        return false;
    }
    PyObject* name = PyTuple_GET_ITEM(b.state().frame().code->co_names, in.oparg >> 2);
    if (superMethod(b, in, name)) {
        return true;
    }
    Id version = beforeOpaque(b, "LOAD_SUPER_ATTR " + textOf(name));
    if (b.stopped()) {
        return true;
    }
    std::vector<Id> operands;
    boxTop(b, 3, operands);
    operands.push_back(b.constObject(name));
    OpaqueResult kind = in.oparg & 1 ? OpaqueResult::kCallable : OpaqueResult::kObject;
    finishOpaque(b, in, Helper::k_get_super_attribute, std::move(operands), 3, kind, version);
    return true;
}

}  // namespace kiln
