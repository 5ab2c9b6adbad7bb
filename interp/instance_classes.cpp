#include "interp/instance_classes.h"

#include <algorithm>
#include <iterator>

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"

namespace kiln {
namespace {

// How every instance of a class statement's class ends.
destructor instanceDestructor = nullptr;

}  // namespace

bool findInstanceDestructor() {
    // A class that is always there: making one would run code, and be seen in object.__subclasses__().
    Ref<> module = Ref<>::steal(PyImport_ImportModule("_frozen_importlib"));
    Ref<> sample = Ref<>::steal(module ? PyObject_GetAttrString(module.get(), "ModuleSpec") : nullptr);
    if (!sample || !PyType_Check(sample.get())) {
        return false;
    }
    instanceDestructor = reinterpret_cast<PyTypeObject*>(sample.get())->tp_dealloc;
    return true;
}

PyTypeObject* baseOfPlainInstances(PyTypeObject* cls) {
    if (!PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE) || cls->tp_dealloc != instanceDestructor || cls->tp_finalize != nullptr ||
        cls->tp_del != nullptr) {
        return nullptr;
    }
    PyTypeObject* base = cls;
    while (base != nullptr && base->tp_dealloc == instanceDestructor) {
        base = base->tp_base;
    }
    return base;
}

PyObject* withoutStaticMethod(PyObject* found) {
    if (found == nullptr || !Py_IS_TYPE(found, &PyStaticMethod_Type)) {
        return found;
    }
    PyObject* callable = Py_TYPE(found)->tp_descr_get(found, nullptr, nullptr);
    Py_XDECREF(callable);  // the method holds it
    return callable;
}

PyFunctionObject* functionThatMakes(PyTypeObject* cls) {
    static PyObject* const kNames[] = {PyUnicode_InternFromString("__new__"), PyUnicode_InternFromString("__init__")};
    for (PyObject* name : kNames) {
        PyObject* found = withoutStaticMethod(kiln_type_lookup(cls, name));
        if (found != nullptr && PyFunction_Check(found)) {
            return reinterpret_cast<PyFunctionObject*>(found);
        }
    }
    return nullptr;
}

PyTypeObject* makerWithoutArguments(PyTypeObject* cls) {
    PyTypeObject* const makers[] = {&PyBaseObject_Type, &PyDict_Type, &PyList_Type, &PySet_Type};
    auto* const found = std::ranges::find_if(makers, [cls](PyTypeObject* maker) { return maker->tp_new == cls->tp_new; });
    return found != std::end(makers) ? *found : nullptr;
}

PyFunctionObject* plainInitializer(PyObject* callable) {
    static PyObject* const kName = PyUnicode_InternFromString("__init__");
    auto* cls = reinterpret_cast<PyTypeObject*>(callable);
    if (!PyType_Check(callable) || !PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE) || PyType_HasFeature(cls, Py_TPFLAGS_IS_ABSTRACT) ||
        Py_TYPE(cls)->tp_call != PyType_Type.tp_call || cls->tp_vectorcall != nullptr || makerWithoutArguments(cls) == nullptr) {
        return nullptr;
    }
    PyObject* found = kiln_type_lookup(cls, kName);
    return found != nullptr && PyFunction_Check(found) ? reinterpret_cast<PyFunctionObject*>(found) : nullptr;
}

}  // namespace kiln
