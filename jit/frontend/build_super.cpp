// super().name: a method that is found in a class behind is a constant of the instance's class and of the class that super() starts
// behind.
#include "interp/c_functions.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/instance_classes.h"
#include "interp/python_text.h"
#include "jit/frontend/bound_methods.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

bool hasCode(PyObject* function, PyCodeObject* code) {
    return function != nullptr && PyFunction_Check(function) && PyFunction_GET_CODE(function) == reinterpret_cast<PyObject*>(code);
}

// The class that has a method of this code, which its `__class__` is; nullptr when it is none, or decorated.
PyTypeObject* classOfMethod(PyTypeObject* cls, PyCodeObject* code) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(cls->tp_mro); index++) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(cls->tp_mro, index));
        PyObject* found = isProgramClass(base) ? PyDict_GetItemWithError(base->tp_dict, code->co_name) : nullptr;
        if (hasCode(withoutStaticMethod(found), code)) {
            return base;
        }
    }
    return nullptr;
}

struct Found {
    PyTypeObject* owner = nullptr;
    PyObject* object = nullptr;
};

// What super() finds for instances of `cls`, and the class that has it: of a built-in one, what that may have inherited.
Found findBehind(PyTypeObject* cls, PyTypeObject* start, PyObject* name) {
    bool isBehind = false;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(cls->tp_mro); index++) {
        auto* base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(cls->tp_mro, index));
        PyObject* found = !isBehind ? nullptr : isProgramClass(base) ? PyDict_GetItemWithError(base->tp_dict, name) : kiln_type_lookup(base, name);
        if (found != nullptr) {
            return {base, found};
        }
        isBehind = isBehind || base == start;
    }
    return {};
}

// Not one that a built-in class has inherited: a class of the program's may come before the one that has it.
bool isOwnMethodOfC(const Found& found) {
    return isMethodOfC(found.object) && PyDescr_TYPE(found.object) == found.owner && !PyType_HasFeature(found.owner, Py_TPFLAGS_HEAPTYPE);
}

// The class that super() starts behind: known, or guarded to be.
bool startsBehind(RegionBuilder& b, PyTypeObject* expected) {
    const AbstractValue& start = b.top(1);
    if (start.kind == Kind::kConstant) {
        return start.constant == reinterpret_cast<PyObject*>(expected);
    }
    b.emitExiting(ir::Op::k_guard_is, {start.value}, ExitReason::k_object, b.objectIndex(expected, expected->tp_name));
    return true;
}

// [super, class, self] becomes [method, self], or what is bound.
bool superMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    bool isCalled = (in.oparg & 1) != 0;
    if (!knowClass(b, in, 0, b.siteOf(in).receivers)) {
        return false;
    }
    PyTypeObject* cls = b.top().cls;
    // An instance that is a class itself may be looked up in by its own bases.
    PyTypeObject* expected = PyType_IsSubtype(cls, &PyType_Type) ? nullptr : classOfMethod(cls, b.state().frame().code);
    Found found = expected != nullptr ? findBehind(cls, expected, name) : Found();
    bool isFunction = found.object != nullptr && isProgramClass(found.owner) && PyFunction_Check(found.object);
    bool isBuiltin = isCalled && found.object != nullptr && isOwnMethodOfC(found);
    if (!(isFunction || isBuiltin) || !startsBehind(b, expected)) {
        return false;
    }
    dependOn(b, cls);
    if (isFunction) {
        b.result().dependencies.push_back({found.owner->tp_dict, name, found.object});
        b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(found.object));
    }
    AbstractValue self = b.pop();
    releaseTop(b, 2);
    b.push(std::move(self));
    isCalled ? pushMethod(b, in, found.object) : bindTop(b, in, found.object);
    return true;
}

// In a __new__: [super, class, class of the instance] becomes [NULL, function].
bool superNew(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    const AbstractValue& self = b.top();
    bool isNew = (in.oparg & 1) && self.kind == Kind::kConstant && PyType_Check(self.constant) && PyUnicode_CompareWithASCIIString(name, "__new__") == 0;
    auto* cls = reinterpret_cast<PyTypeObject*>(isNew ? self.constant : nullptr);
    PyTypeObject* expected = isNew && isProgramClass(cls) && ObservedClasses::instance().mayRelyOn(cls) ? classOfMethod(cls, b.state().frame().code) : nullptr;
    PyObject* found = expected != nullptr ? withoutStaticMethod(findBehind(cls, expected, name).object) : nullptr;
    bool isFunction = found != nullptr && PyFunction_Check(found);
    if (found == nullptr || !(isFunction || PyCFunction_Check(found)) || !startsBehind(b, expected)) {
        return false;
    }
    dependOn(b, cls);
    if (isFunction) {
        b.result().functions.push_back(reinterpret_cast<PyFunctionObject*>(found));
    }
    releaseTop(b, 3);
    b.push(AbstractValue::null());
    b.push(heldConstant(b, AbstractValue::constantObject(found)));
    b.state().frame().unit = in.next;
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
    bool isKnown = b.top(1).kind == Kind::kConstant || b.top(1).kind == Kind::kObject;
    if (isKnown && (superNew(b, in, name) || superMethod(b, in, name))) {
        return true;
    }
    Id version = beforeOpaque(b, "LOAD_SUPER_ATTR " + textOf(name));
    if (b.stopped()) {
        return true;
    }
    ir::Operands operands;
    boxTop(b, 3, operands);
    operands.push_back(b.constObject(name));
    OpaqueResult kind = in.oparg & 1 ? OpaqueResult::kCallable : OpaqueResult::kObject;
    finishOpaque(b, in, Helper::k_get_super_attribute, std::move(operands), 3, kind, version);
    return true;
}

}  // namespace kiln
