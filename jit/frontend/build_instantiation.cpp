#include "jit/frontend/build_instantiation.h"

#include <cstring>

#include "interp/cpython/cpython_shim.h"
#include "interp/instance_classes.h"
#include "jit/frontend/attribute_access.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_binding.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/instance_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/tuple_classes.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

PyObject* newName() {
    static PyObject* name = PyUnicode_InternFromString("__new__");
    return name;
}

PyObject* initName() {
    static PyObject* name = PyUnicode_InternFromString("__init__");
    return name;
}

bool isConcrete(PyTypeObject* cls) {
    return isProgramClass(cls) && ObservedClasses::instance().mayRelyOn(cls) && !PyType_HasFeature(cls, Py_TPFLAGS_IS_ABSTRACT);
}

// What type.__call__() does, no metaclass's method.
bool isCalledPlainly(PyTypeObject* cls) {
    return isConcrete(cls) && ObservedClasses::instance().mayRelyOn(Py_TYPE(cls)) && Py_TYPE(cls)->tp_call == PyType_Type.tp_call;
}

// With no argument that one does nothing.
bool inheritsInit(PyTypeObject* cls, PyTypeObject* maker) {
    return kiln_type_lookup(cls, initName()) == kiln_type_lookup(maker, initName());
}

// A class of the program's; nullptr otherwise.
PyTypeObject* classOf(const AbstractValue& argument) {
    bool isClass = argument.kind == Kind::kConstant && PyType_Check(argument.constant);
    auto* cls = isClass ? reinterpret_cast<PyTypeObject*>(argument.constant) : nullptr;
    return cls != nullptr && isConcrete(cls) ? cls : nullptr;
}

// By a parameter of its own, not as the first of `*arguments`.
bool takesInstance(PyCodeObject* initializer) {
    return isPlainFunction(initializer) && initializer->co_argcount > 0;
}

bool newObject(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    PyTypeObject* cls = classOf(b.top(arguments - 1));
    if (arguments != 1 || cls == nullptr || baseOfPlainInstances(cls) != &PyBaseObject_Type) {
        return false;
    }
    dependOn(b, cls);
    finishCall(b, in, 3, newInstance(b, cls));
    return true;
}

// By a __new__ of the program's, which is inlined; there is no __init__.
bool createByNew(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls, int arguments) {
    PyObject* found = inheritsInit(cls, &PyBaseObject_Type) && arguments + 2 <= kMostOperandsOfCreation ? findClassAttribute(cls, newName(), b.result().classes) : nullptr;
    if (found == nullptr || !PyFunction_Check(found)) {
        return false;
    }
    auto* function = reinterpret_cast<PyFunctionObject*>(found);
    CalledFunction called = CalledFunction::of(function);
    std::vector<AbstractValue> bound;
    if (!isPlainFunction(called.callee.code) || !bindArguments(b, called, arguments + 1, bound) || !shouldInline(b, called.callee)) {
        return false;
    }
    b.result().functions.push_back(function);
    dependOnAttribute(b, cls, newName());
    dependOnAttribute(b, cls, initName());
    dependOn(b, cls);
    dependOn(b, Py_TYPE(cls));
    int names = b.keywordNames() != nullptr ? static_cast<int>(b.objectIndex(b.keywordNames(), "names of keywords")) : -1;
    inlineCall(b, in, called, lent(std::move(bound)), 0, {.use = ResultUse::k_created, .detail = packCreation(arguments + 2, names)});
    return true;
}

}  // namespace

bool instantiate(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls, int arguments) {
    if (!isCalledPlainly(cls)) {
        return Py_TYPE(cls)->tp_call != PyType_Type.tp_call && metaclassCall(b, in, arguments);
    }
    PyTypeObject* maker = makerWithoutArguments(cls);
    if (maker == nullptr) {
        return createByNew(b, in, cls, arguments);
    }
    PyObject* initializer = kiln_type_lookup(cls, initName());
    bool inherited = inheritsInit(cls, maker);
    std::vector<AbstractValue> bound;
    PyFunctionObject* function = nullptr;
    if (!inherited) {
        // The class lies where the callee finds the instance.
        function = PyFunction_Check(initializer) ? reinterpret_cast<PyFunctionObject*>(initializer) : nullptr;
        if (function == nullptr || !takesInstance(reinterpret_cast<PyCodeObject*>(function->func_code)) ||
            !bindArguments(b, CalledFunction::of(function), arguments + 1, bound) ||
            endsArgument(b, Callee::of(function).code, bound) || !shouldInline(b, Callee::of(function))) {
            return false;
        }
        b.result().functions.push_back(function);
        dependOnAttribute(b, cls, initName());
    } else if (arguments != 0) {
        return false;
    }
    dependOn(b, cls);
    dependOn(b, Py_TYPE(cls));
    AbstractValue instance = newInstance(b, cls, maker);
    release(b, std::exchange(b.top(arguments), AbstractValue::constantObject(reinterpret_cast<PyObject*>(cls))));
    if (inherited) {
        finishCall(b, in, 2, std::move(instance));
        return true;
    }
    bound[0] = copyOf(instance);
    inlineCall(b, in, CalledFunction::of(function), std::move(bound), arguments + 2, {.use = ResultUse::k_instance, .instance = &instance});
    return true;
}

bool callNew(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    bool isPlain = PyCFunction_Check(callee) && b.keywordNames() == nullptr;
    bool isNew = isPlain && std::strcmp(reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name, "__new__") == 0;
    PyObject* owner = isNew ? PyCFunction_GET_SELF(callee) : nullptr;
    return owner == reinterpret_cast<PyObject*>(&PyTuple_Type)        ? newTuple(b, in, arguments == 2 ? classOf(b.top(1)) : nullptr)
           : owner == reinterpret_cast<PyObject*>(&PyBaseObject_Type) ? newObject(b, in, arguments)
                                                                      : false;
}

bool takeCreated(RegionBuilder& b) {
    const AbstractFrames& frames = b.state().frames;
    const AbstractValue& called = frames[frames.size() - 2].top(operandsOfCreation(b.state().frame().detail) - 2);
    if (called.kind != Kind::kConstant) {
        return false;
    }
    auto* cls = reinterpret_cast<PyTypeObject*>(called.constant);
    const AbstractValue& result = b.top();
    PyTypeObject* known = result.knownClass();
    if (known == nullptr && result.kind == Kind::kObject) {
        b.guardClass(result.value, cls, ExitReason::k_type);
        markClass(b, result.value, cls);
        return true;
    }
    return known == cls || (known != nullptr && !PyType_IsSubtype(known, cls));
}

}  // namespace kiln
