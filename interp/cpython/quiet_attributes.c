/* Attributes that are looked up without running Python code. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_object.h>
#include <structmember.h>

/* Getters of CPython's own that give what is there: none of them asks an audit hook. */
static const struct {
    PyTypeObject* owner; /* NULL: BaseException */
    const char* name;
} quiet_getters[] = {
    {&PyBaseObject_Type, "__class__"}, {&PyType_Type, "__name__"},     {&PyType_Type, "__qualname__"}, {&PyType_Type, "__module__"},
    {&PyType_Type, "__bases__"},       {&PyType_Type, "__dict__"},     {&PyFunction_Type, "__name__"}, {&PyFunction_Type, "__qualname__"},
    {&PyFunction_Type, "__dict__"},    {&PyCFunction_Type, "__name__"}, {NULL, "args"},                {NULL, "__traceback__"},
    {NULL, "__cause__"},               {NULL, "__context__"},
};

/* `__dict__` of the program's classes is of the class that brought it. */
static bool gets_quietly(PyGetSetDescrObject* descriptor) {
    PyTypeObject* owner = PyDescr_TYPE(descriptor);
    if (PyType_HasFeature(owner, Py_TPFLAGS_HEAPTYPE)) {
        return descriptor->d_getset->closure == NULL && strcmp(descriptor->d_getset->name, "__dict__") == 0 && !PyType_IsSubtype(owner, &PyType_Type);
    }
    for (size_t index = 0; index < Py_ARRAY_LENGTH(quiet_getters); index++) {
        PyTypeObject* of = quiet_getters[index].owner != NULL ? quiet_getters[index].owner : (PyTypeObject*)PyExc_BaseException;
        if (owner == of && strcmp(descriptor->d_getset->name, quiet_getters[index].name) == 0) {
            return true;
        }
    }
    return false;
}

/* What a class has, bound by C code that runs nothing else: functions and methods, C or Python, slots, and what binding leaves as it
 * is. */
static bool binds_quietly(PyObject* found) {
    PyTypeObject* type = Py_TYPE(found);
    if (type == &PyGetSetDescr_Type) {
        return gets_quietly((PyGetSetDescrObject*)found);
    }
    if (type == &PyMemberDescr_Type) {
        return (((PyMemberDescrObject*)found)->d_member->flags & PY_AUDIT_READ) == 0;
    }
    return type->tp_descr_get == NULL || type == &PyFunction_Type || type == &PyMethodDescr_Type || type == &PyWrapperDescr_Type ||
           type == &PyStaticMethod_Type;
}

static KilnAnswer answer_with(PyObject* made, PyObject** value) {
    *value = made;
    if (made != NULL) {
        return KILN_YES;
    }
    bool missing = PyErr_ExceptionMatches(PyExc_AttributeError); /* of a slot that is empty */
    PyErr_Clear();
    return missing ? KILN_NO : KILN_ASK;
}

static KilnAnswer bind(PyObject* found, PyObject* object, PyTypeObject* type, PyObject** value) {
    descrgetfunc get = Py_TYPE(found)->tp_descr_get;
    return binds_quietly(found) ? answer_with(get == NULL ? Py_NewRef(found) : get(found, object, (PyObject*)type), value) : KILN_ASK;
}

/* Instances have attributes of their own, where kiln_own_attribute() finds them. */
static bool has_own_attributes(PyTypeObject* type) {
    return kiln_type_has_values(type) || kiln_type_keeps_dicts(type);
}

static bool is_data_descriptor(PyObject* object) {
    return object != NULL && Py_TYPE(object)->tp_descr_set != NULL;
}

/* Goes before what the instance has itself. One that is only set does not. */
static bool hides_own(PyObject* found) {
    return is_data_descriptor(found) && Py_TYPE(found)->tp_descr_get != NULL;
}

static KilnAnswer attribute_of_class(PyTypeObject* cls, PyObject* name, PyObject** value) {
    PyObject* of_metaclass = _PyType_Lookup(Py_TYPE(cls), name);
    if (hides_own(of_metaclass)) {
        return bind(of_metaclass, (PyObject*)cls, Py_TYPE(cls), value);
    }
    PyObject* found = _PyType_Lookup(cls, name);
    if (found != NULL) {
        return bind(found, NULL, cls, value);
    }
    return of_metaclass != NULL ? bind(of_metaclass, (PyObject*)cls, Py_TYPE(cls), value) : KILN_NO;
}

/* `*value`: borrowed. */
static KilnAnswer attribute_of_its_own(PyObject* object, PyObject* name, PyObject** value) {
    PyTypeObject* type = Py_TYPE(object);
    if (!has_own_attributes(type)) {
        return type->tp_dictoffset == 0 ? KILN_NO : KILN_ASK;
    }
    *value = kiln_own_attribute(object, name);
    return *value != NULL ? KILN_YES : kiln_lacks_own_attribute(object, name) ? KILN_NO : KILN_ASK;
}

static KilnAnswer attribute_of_instance(PyObject* object, PyObject* name, PyObject** value) {
    PyTypeObject* type = Py_TYPE(object);
    PyObject* found = _PyType_Lookup(type, name);
    if (hides_own(found)) {
        return bind(found, object, type, value);
    }
    KilnAnswer own = attribute_of_its_own(object, name, value);
    if (own != KILN_NO) {
        *value = own == KILN_YES ? Py_NewRef(*value) : NULL;
        return own;
    }
    return found != NULL ? bind(found, object, type, value) : KILN_NO;
}

KilnAnswer kiln_quiet_attribute(PyObject* object, PyObject* name, PyObject** value) {
    PyTypeObject* type = Py_TYPE(object);
    *value = NULL;
    if (PyObject_Hash(name) == -1) {
        return answer_with(NULL, value);
    }
    if (type->tp_getattro == PyType_Type.tp_getattro && PyType_Check(object)) {
        return attribute_of_class((PyTypeObject*)object, name, value);
    }
    return type->tp_getattro == PyObject_GenericGetAttr ? attribute_of_instance(object, name, value) : KILN_ASK;
}

PyObject* kiln_quiet_method(PyObject* object, PyObject* name) {
    PyTypeObject* type = Py_TYPE(object);
    PyObject* found = type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL;
    if (found == NULL || !(PyFunction_Check(found) || Py_IS_TYPE(found, &PyMethodDescr_Type))) {
        return NULL;
    }
    PyObject* own = NULL;
    return attribute_of_its_own(object, name, &own) == KILN_NO ? found : NULL;
}

bool kiln_has_quiet_attribute(PyTypeObject* type, PyObject* name) {
    PyObject* found = _PyType_Lookup(type, name);
    if (type->tp_getattro == PyType_Type.tp_getattro && PyType_IsSubtype(type, &PyType_Type)) {
        return !hides_own(found) || binds_quietly(found);
    }
    bool has_own = type->tp_dictoffset == 0 || has_own_attributes(type);
    return type->tp_getattro == PyObject_GenericGetAttr && has_own && (found == NULL || binds_quietly(found));
}

KilnAnswer kiln_quiet_store(PyTypeObject* type, PyObject* name, Py_ssize_t* offset) {
    if (type->tp_setattro != PyObject_GenericSetAttr) {
        return KILN_ASK;
    }
    PyObject* found = _PyType_Lookup(type, name);
    if (!is_data_descriptor(found)) {
        return has_own_attributes(type) ? KILN_YES : KILN_ASK;
    }
    bool writable = false;
    *offset = kiln_member_offset(found, type, &writable);
    return *offset >= 0 && writable ? KILN_NO : KILN_ASK;
}
