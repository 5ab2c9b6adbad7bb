#include "jit/frontend/attribute_access.h"

#include "interp/c_functions.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/instance_classes.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// The object's class stays as it is, or the region is thrown away.
bool relyOnClass(PyObject* object, std::vector<PyTypeObject*>& reliedOn) {
    PyTypeObject* cls = Py_TYPE(object);
    if (!ObservedClasses::instance().mayRelyOn(cls)) {
        return false;
    }
    if (isProgramClass(cls)) {
        reliedOn.push_back(cls);
    }
    return true;
}

bool isDataDescriptor(PyObject* object) {
    return Py_TYPE(object)->tp_descr_set != nullptr;
}

AttributeAccess valueAt(PyTypeObject* cls, PyObject* name) {
    Py_ssize_t index = kiln_type_value_index(cls, name);
    if (index < 0) {
        return {.kind = kiln_type_has_values(cls) ? AttributeKind::kOwn : AttributeKind::kOther};
    }
    return {.kind = AttributeKind::kValue, .offset = static_cast<int64_t>(index * sizeof(PyObject*))};
}

// Of a data descriptor of C's.
AttributeAccess memberOf(PyTypeObject* cls, PyObject* descriptor) {
    Py_ssize_t index = PyType_IsSubtype(cls, &PyTuple_Type) ? kiln_tuple_getter_index(descriptor) : -1;
    if (index >= 0) {
        return {.kind = AttributeKind::kItem, .offset = index, .writable = false};
    }
    AttributeAccess access{.kind = AttributeKind::kMember};
    access.offset = kiln_member_offset(descriptor, cls, &access.writable);
    return access.offset >= 0 ? access : AttributeAccess();
}

// An object that binding does not change. Static methods give their function: nothing would tell if another callable died.
PyObject* unboundConstant(PyObject* object) {
    if (Py_IS_TYPE(object, &PyStaticMethod_Type)) {
        PyObject* callable = withoutStaticMethod(object);
        return callable != nullptr && PyFunction_Check(callable) ? callable : nullptr;
    }
    return Py_TYPE(object)->tp_descr_get == nullptr ? object : nullptr;
}

// A method of a class of CPython's own, which a class gives as it is.
bool isStaticMethodOfC(PyObject* object) {
    return isMethodOfC(object) && !PyType_HasFeature(PyDescr_TYPE(object), Py_TPFLAGS_HEAPTYPE);
}

// `instance.__class__` is the class that the instance has.
bool givesClass(PyObject* descriptor) {
    static PyObject* name = PyUnicode_InternFromString("__class__");
    return descriptor == kiln_type_lookup(&PyBaseObject_Type, name);
}

// The class's attribute that the instance could hide by one of its own. False when its own is what programs mean.
bool ruleOutHiding(PyTypeObject* cls, PyObject* name, AttributeAccess& access) {
    access.mayBeHidden = cls->tp_dictoffset != 0 || PyType_HasFeature(cls, Py_TPFLAGS_MANAGED_DICT);
    if (!access.mayBeHidden) {
        return true;
    }
    if (!kiln_type_has_values(cls) || kiln_type_value_index(cls, name) >= 0) {
        return false;
    }
    access.keys = kiln_type_keys_version(cls);
    access.keysVersion = access.keys != nullptr ? *access.keys : 0;
    return true;
}

}  // namespace

AttributeAccess findAttribute(PyTypeObject* cls, PyObject* name, std::vector<PyTypeObject*>& reliedOn) {
    const bool asksOn = cls->tp_getattro != PyObject_GenericGetAttr;
    if (asksOn && !kiln_type_asks_on(cls)) {
        return {};
    }
    PyObject* found = kiln_type_lookup(cls, name);
    if (found == nullptr) {
        AttributeAccess own = valueAt(cls, name);
        return asksOn && own.kind == AttributeKind::kOwn ? AttributeAccess() : own;  // mostly it is not there
    }
    if (!relyOnClass(found, reliedOn)) {
        return {};
    }
    if (givesClass(found)) {
        return {.kind = AttributeKind::kConstant, .object = reinterpret_cast<PyObject*>(cls)};
    }
    if (isDataDescriptor(found)) {
        PyObject* getter = kiln_property_getter(found);
        if (getter != nullptr) {
            return asksOn ? AttributeAccess() : AttributeAccess{.kind = AttributeKind::kProperty, .object = getter};  // its AttributeError asks on
        }
        return memberOf(cls, found);
    }
    AttributeAccess access;
    PyObject* constant = unboundConstant(found);
    PyObject* ofClass = functionOfClassMethod(found);
    access.object = constant != nullptr ? constant : ofClass != nullptr ? ofClass : found;
    access.kind = constant != nullptr ? AttributeKind::kConstant : ofClass != nullptr ? AttributeKind::kClassMethod : AttributeKind::kMethod;
    if (constant == nullptr && ofClass == nullptr && !PyFunction_Check(found) && !isMethodOfC(found)) {
        return {};
    }
    if (ruleOutHiding(cls, name, access)) {
        return access;
    }
    // An instance's own attribute goes before what the class has for a default.
    return valueAt(cls, name);
}

AttributeAccess findStoredAttribute(PyTypeObject* cls, PyObject* name, std::vector<PyTypeObject*>& reliedOn) {
    if (cls->tp_setattro != PyObject_GenericSetAttr) {
        return {};
    }
    PyObject* found = kiln_type_lookup(cls, name);
    if (found != nullptr && !relyOnClass(found, reliedOn)) {
        return {};
    }
    if (found != nullptr && isDataDescriptor(found)) {
        if (PyObject* setter = kiln_property_setter(found)) {
            return {.kind = AttributeKind::kProperty, .object = setter};
        }
        AttributeAccess access = memberOf(cls, found);
        return access.writable ? access : AttributeAccess();
    }
    return valueAt(cls, name);
}

PyObject* functionOfClassMethod(PyObject* found) {
    if (!Py_IS_TYPE(found, &PyClassMethod_Type)) {
        return nullptr;
    }
    static PyObject* name = PyUnicode_InternFromString("__func__");
    PyObject* function = PyObject_GetAttr(found, name);  // a member
    Py_XDECREF(function);
    return function != nullptr && PyFunction_Check(function) ? function : nullptr;
}

PyObject* findClassAttribute(PyTypeObject* cls, PyObject* name, std::vector<PyTypeObject*>& reliedOn) {
    PyTypeObject* metaclass = Py_TYPE(cls);
    if (metaclass->tp_getattro != PyType_Type.tp_getattro) {
        return nullptr;
    }
    PyObject* hiding = kiln_type_lookup(metaclass, name);
    PyObject* found = kiln_type_lookup(cls, name);
    if (found == nullptr || (hiding != nullptr && (!relyOnClass(hiding, reliedOn) || isDataDescriptor(hiding)))) {
        return nullptr;
    }
    if (!relyOnClass(found, reliedOn)) {
        return nullptr;
    }
    bool asItIs = PyFunction_Check(found) || isStaticMethodOfC(found) || functionOfClassMethod(found) != nullptr;
    return asItIs ? found : unboundConstant(found);
}

}  // namespace kiln
