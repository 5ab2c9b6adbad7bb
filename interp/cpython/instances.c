/* Instances of the program's classes: where their attributes lie. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_dict.h>
#include <internal/pycore_object.h>
#include <internal/pycore_pystate.h>
#include <structmember.h>

/* The word below the object's header that is the address of its values less one, or of its dict. */
_Static_assert(sizeof(PyDictOrValues) == sizeof(void*), "dict or values");

static PyDictKeysObject* shared_keys(PyTypeObject* type) {
    bool managed = PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT);
    return managed ? ((PyHeapTypeObject*)type)->ht_cached_keys : NULL;
}

bool kiln_type_has_values(PyTypeObject* type) {
    return shared_keys(type) != NULL;
}

Py_ssize_t kiln_type_value_index(PyTypeObject* type, PyObject* name) {
    PyDictKeysObject* keys = shared_keys(type);
    return keys != NULL ? _PyDictKeys_StringLookup(keys, name) : -1;
}

const uint32_t* kiln_type_keys_version(PyTypeObject* type) {
    PyDictKeysObject* keys = shared_keys(type);
    if (keys == NULL || _PyDictKeys_GetVersionForCurrentState(_PyInterpreterState_GET(), keys) == 0) {
        return NULL;
    }
    return &keys->dk_version;
}

Py_ssize_t kiln_member_offset(PyObject* descriptor, PyTypeObject* type, bool* writable) {
    if (!Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
        return -1;
    }
    PyMemberDescrObject* member = (PyMemberDescrObject*)descriptor;
    if (member->d_member->type != T_OBJECT_EX || !PyType_IsSubtype(type, member->d_common.d_type)) {
        return -1;
    }
    *writable = (member->d_member->flags & READONLY) == 0;
    return (member->d_member->flags & PY_AUDIT_READ) == 0 ? member->d_member->offset : -1;
}

PyObject* kiln_property_getter(PyObject* descriptor) {
    if (!Py_IS_TYPE(descriptor, &PyProperty_Type)) {
        return NULL;
    }
    PyObject* getter = PyObject_GetAttrString(descriptor, "fget"); /* a member of the type: no lookup runs code */
    if (getter == NULL) {
        PyErr_Clear();
        return NULL;
    }
    Py_DECREF(getter); /* the property, which cannot change, holds it */
    return PyFunction_Check(getter) ? getter : NULL;
}

void kiln_note_value_added(PyObject** values, Py_ssize_t index) {
    _PyDictValues_AddToInsertionOrder((PyDictValues*)values, index);
}

PyObject* kiln_type_lookup(PyTypeObject* type, PyObject* name) {
    return _PyType_Lookup(type, name);
}

/* ---- an instance's own attributes, in its values or in its dict */

bool kiln_has_own_dict(PyObject* object) {
    if (shared_keys(Py_TYPE(object)) == NULL) {
        return false;
    }
    PyDictOrValues own = *_PyObject_DictOrValuesPointer(object);
    return !_PyDictOrValues_IsValues(own) && _PyDictOrValues_GetDict(own) != NULL;
}

/* A borrowed reference, or NULL. `*known` is false when only CPython can tell: keys that are no strings may run code. */
static PyObject* find_own(PyObject* object, PyObject* name, bool* known) {
    PyDictOrValues own = *_PyObject_DictOrValuesPointer(object);
    *known = true;
    if (_PyDictOrValues_IsValues(own)) {
        Py_ssize_t index = _PyDictKeys_StringLookup(shared_keys(Py_TYPE(object)), name);
        return index >= 0 ? _PyDictOrValues_GetValues(own)->values[index] : NULL;
    }
    PyDictObject* dict = (PyDictObject*)_PyDictOrValues_GetDict(own);
    if (dict == NULL) {
        return NULL;
    }
    *known = DK_IS_UNICODE(dict->ma_keys);
    return *known ? _PyDict_GetItem_KnownHash((PyObject*)dict, name, ((PyASCIIObject*)name)->hash) : NULL;
}

PyObject* kiln_own_attribute(PyObject* object, PyObject* name) {
    bool known;
    return find_own(object, name, &known);
}

bool kiln_lacks_own_attribute(PyObject* object, PyObject* name) {
    bool known;
    return find_own(object, name, &known) == NULL && known;
}

bool kiln_set_own_attribute(PyObject* object, PyObject* name, PyObject* value) {
    PyDictOrValues own = *_PyObject_DictOrValuesPointer(object);
    int status = -1;
    if (_PyDictOrValues_IsValues(own)) {
        status = _PyObject_StoreInstanceAttribute(object, _PyDictOrValues_GetValues(own), name, value);
    } else if (_PyDictOrValues_GetDict(own) != NULL) {
        PyObject* dict = Py_NewRef(_PyDictOrValues_GetDict(own));
        status = DK_IS_UNICODE(((PyDictObject*)dict)->ma_keys) ? PyDict_SetItem(dict, name, value) : -1;
        Py_DECREF(dict);
    }
    if (status != 0) {
        PyErr_Clear();
    }
    return status == 0;
}
