/* Instances of the program's classes: where their attributes lie. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_dict.h>
#include <internal/pycore_object.h>
#include <internal/pycore_pystate.h>
#include <string.h>
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

/* The layout of collections._tuplegetter, which is Modules/_collectionsmodule.c's alone. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject* doc;
} TupleGetter;

Py_ssize_t kiln_tuple_getter_index(PyObject* descriptor) {
    PyTypeObject* type = Py_TYPE(descriptor);
    bool is_of_module = PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && ((PyHeapTypeObject*)type)->ht_module != NULL;
    bool is_getter = is_of_module && type->tp_basicsize == sizeof(TupleGetter) && strcmp(type->tp_name, "collections._tuplegetter") == 0;
    return is_getter ? ((TupleGetter*)descriptor)->index : -1;
}

static PyObject* function_of_property(PyObject* descriptor, const char* member) {
    if (!Py_IS_TYPE(descriptor, &PyProperty_Type)) {
        return NULL;
    }
    PyObject* function = PyObject_GetAttrString(descriptor, member); /* a member of the type: no lookup runs code */
    if (function == NULL) {
        PyErr_Clear();
        return NULL;
    }
    Py_DECREF(function); /* the property, which cannot change, holds it */
    return PyFunction_Check(function) ? function : NULL;
}

PyObject* kiln_property_getter(PyObject* descriptor) {
    return function_of_property(descriptor, "fget");
}

PyObject* kiln_property_setter(PyObject* descriptor) {
    return function_of_property(descriptor, "fset");
}

void kiln_fill_instance(PyObject* instance, PyObject* const* attributes, Py_ssize_t count) {
    PyDictValues* values = shared_keys(Py_TYPE(instance)) != NULL ? _PyDictOrValues_GetValues(*_PyObject_DictOrValuesPointer(instance)) : NULL;
    PyObject** members = (PyObject**)(instance + 1);
    for (Py_ssize_t place = 0; place < count; place++) {
        if (attributes[place] != NULL && values != NULL) {
            values->values[place] = attributes[place];
            _PyDictValues_AddToInsertionOrder(values, place);
        } else if (attributes[place] != NULL) {
            members[place] = attributes[place];
        }
    }
}

void kiln_note_value_added(PyObject** values, Py_ssize_t index) {
    _PyDictValues_AddToInsertionOrder((PyDictValues*)values, index);
}

PyObject* kiln_type_lookup(PyTypeObject* type, PyObject* name) {
    return _PyType_Lookup(type, name);
}

/* What a class statement makes of __getattr__ looks up as it would without, unless there is another __getattribute__. */
bool kiln_type_asks_on(PyTypeObject* type) {
    PyObject* look_up = _PyType_Lookup(type, &_Py_ID(__getattribute__));
    return type->tp_getattr == NULL && look_up != NULL && look_up == _PyType_Lookup(&PyBaseObject_Type, &_Py_ID(__getattribute__)) &&
           _PyType_Lookup(type, &_Py_ID(__getattr__)) != NULL;
}

PyObject* kiln_super_lookup(PyTypeObject* type, PyObject* object, PyObject* name) {
    return _PySuper_Lookup(type, object, name, NULL);
}

bool kiln_instances_tell_class(PyTypeObject* type) {
    /* A type's and a module's go by their class's data descriptors first, as all others do. */
    getattrofunc look_up = type->tp_getattro;
    if (look_up != PyObject_GenericGetAttr && look_up != PyType_Type.tp_getattro && look_up != PyModule_Type.tp_getattro) {
        return false;
    }
    return _PyType_Lookup(type, &_Py_ID(__class__)) == _PyType_Lookup(&PyBaseObject_Type, &_Py_ID(__class__));
}

static setter set_class;
static void (*on_class_assignment)(PyObject*);

static int assign_class(PyObject* object, PyObject* value, void* closure) {
    if (_Py_IsMainInterpreter(_PyInterpreterState_GET())) {
        on_class_assignment(object);
    }
    return set_class(object, value, closure);
}

/* An audit hook would see it too, but then every audited call makes its arguments, as each id() does. */
void kiln_watch_class_assignment(void (*callback)(PyObject*)) {
    PyGetSetDescrObject* descriptor = (PyGetSetDescrObject*)_PyType_Lookup(&PyBaseObject_Type, &_Py_ID(__class__));
    on_class_assignment = callback;
    if (set_class == NULL) {
        set_class = descriptor->d_getset->set;
        descriptor->d_getset->set = assign_class;
    }
}

/* ---- an instance's own attributes, in its values or in its dict */

static bool has_own_dict(PyObject* object) {
    if (shared_keys(Py_TYPE(object)) == NULL) {
        return false;
    }
    PyDictOrValues own = *_PyObject_DictOrValuesPointer(object);
    return !_PyDictOrValues_IsValues(own) && _PyDictOrValues_GetDict(own) != NULL;
}

bool kiln_type_keeps_dicts(PyTypeObject* type) {
    bool managed = (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0;
    return !kiln_type_has_values(type) && (managed || type->tp_dictoffset > 0);
}

/* Where an instance of such a class has it. */
static PyObject** kept_dict(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    bool managed = (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0;
    return managed ? &_PyObject_DictOrValuesPointer(object)->dict : (PyObject**)((char*)object + type->tp_dictoffset);
}

/* NULL while there is none. */
static PyObject* dict_of(PyObject* object) {
    if (kiln_type_keeps_dicts(Py_TYPE(object))) {
        return *kept_dict(object);
    }
    return has_own_dict(object) ? (PyObject*)_PyDictOrValues_GetDict(*_PyObject_DictOrValuesPointer(object)) : NULL;
}

/* Where an attribute was found last: its place among the entries of its keys. Instances of a class mostly got their attributes
 * in one order, so that the place is the same for all; it is checked, and needs no invalidation. Guarded by the GIL. */
enum { kHints = 1024 };
static uint16_t hints[kHints];

static uint16_t* hint_of(PyTypeObject* type, PyObject* name) {
    return &hints[(((uintptr_t)name >> 4) ^ ((uintptr_t)type >> 6)) % kHints];
}

/* Keys that are str only. */
static bool is_at(PyDictKeysObject* keys, Py_ssize_t index, PyObject* name) {
    return index < keys->dk_nentries && DK_UNICODE_ENTRIES(keys)[index].me_key == name;
}

/* Negative when there is none. */
static Py_ssize_t shared_index(PyObject* object, PyObject* name) {
    uint16_t* hint = hint_of(Py_TYPE(object), name);
    PyDictKeysObject* keys = shared_keys(Py_TYPE(object));
    if (is_at(keys, *hint, name)) {
        return *hint;
    }
    Py_ssize_t index = _PyDictKeys_StringLookup(keys, name);
    if (index >= 0 && index <= UINT16_MAX) {
        *hint = (uint16_t)index;
    }
    return index;
}

/* Where the value is that a dict with str keys has for the name; NULL when it has none. */
static PyObject** dict_place(PyObject* object, PyDictObject* dict, PyObject* name) {
    uint16_t* hint = hint_of(Py_TYPE(object), name);
    Py_ssize_t index = *hint;
    if (!is_at(dict->ma_keys, index, name)) {
        PyObject* value;
        index = _Py_dict_lookup(dict, name, ((PyASCIIObject*)name)->hash, &value);
        if (index < 0) {
            return NULL;
        }
        *hint = index <= UINT16_MAX ? (uint16_t)index : *hint;
    }
    PyObject** place = dict->ma_values != NULL ? &dict->ma_values->values[index] : &DK_UNICODE_ENTRIES(dict->ma_keys)[index].me_value;
    return *place != NULL ? place : NULL;
}

bool kiln_dict_has_plain_keys(PyObject* dict) {
    return DK_IS_UNICODE(((PyDictObject*)dict)->ma_keys);
}

/* NULL where its attributes are in a dict, or nowhere. */
static PyDictValues* values_of(PyObject* object) {
    if (!kiln_type_has_values(Py_TYPE(object))) {
        return NULL;
    }
    PyDictOrValues own = *_PyObject_DictOrValuesPointer(object);
    return _PyDictOrValues_IsValues(own) ? _PyDictOrValues_GetValues(own) : NULL;
}

bool kiln_lacks_values(PyObject* object) {
    return kiln_type_has_values(Py_TYPE(object)) && values_of(object) == NULL;
}

Py_ssize_t kiln_instance_values(PyObject* instance, PyObject*** first) {
    PyDictValues* values = Py_TYPE(instance)->tp_basicsize == sizeof(PyObject) ? values_of(instance) : NULL;
    if (values == NULL) {
        return -1;
    }
    *first = values->values;
    return shared_keys(Py_TYPE(instance))->dk_nentries;
}

/* Its keys are strings, so that no code runs; and nobody watches it, who would be the compiler, of a namespace whose variables it holds. */
static bool is_plain(PyDictObject* dict) {
    return DK_IS_UNICODE(dict->ma_keys) && !kiln_dict_is_watched((PyObject*)dict);
}

/* A borrowed reference, or NULL. `*known` is false when only CPython can tell. */
static PyObject* find_own(PyObject* object, PyObject* name, bool* known) {
    *known = true;
    PyDictValues* values = values_of(object);
    if (values != NULL) {
        Py_ssize_t index = shared_index(object, name);
        return index >= 0 ? values->values[index] : NULL;
    }
    PyDictObject* dict = (PyDictObject*)dict_of(object);
    if (dict == NULL) {
        return NULL;
    }
    *known = is_plain(dict);
    PyObject** place = *known ? dict_place(object, dict, name) : NULL;
    return place != NULL ? *place : NULL;
}

PyObject* kiln_own_attribute(PyObject* object, PyObject* name) {
    bool known;
    return find_own(object, name, &known);
}

bool kiln_lacks_own_attribute(PyObject* object, PyObject* name) {
    bool known;
    return find_own(object, name, &known) == NULL && known;
}

/* What a dict has for a key is another object now: watchers are told, and the collector sees the dict if it must. */
static void replace_in_dict(PyDictObject* dict, PyObject* name, PyObject** place, PyObject* value) {
    uint64_t version = _PyDict_NotifyEvent(_PyInterpreterState_GET(), PyDict_EVENT_MODIFIED, dict, name, value);
    PyObject* old = *place;
    *place = Py_NewRef(value);
    dict->ma_version_tag = version;
    if (!_PyObject_GC_IS_TRACKED(dict) && _PyObject_GC_MAY_BE_TRACKED(value)) {
        _PyObject_GC_TRACK(dict);
    }
    Py_DECREF(old);
}

static int set_in_dict(PyObject* object, PyDictObject* dict, PyObject* name, PyObject* value) {
    if (!is_plain(dict)) {
        return -1;
    }
    PyObject** place = dict->ma_values == NULL ? dict_place(object, dict, name) : NULL;
    if (place == NULL) {
        return PyDict_SetItem((PyObject*)dict, name, value);
    }
    replace_in_dict(dict, name, place, value);
    return 0;
}

static int set_in_values(PyObject* object, PyDictValues* values, PyObject* name, PyObject* value) {
    Py_ssize_t index = shared_index(object, name);
    if (index < 0 || values->values[index] == NULL) {
        return _PyObject_StoreInstanceAttribute(object, values, name, value);
    }
    Py_SETREF(values->values[index], Py_NewRef(value));
    return 0;
}

bool kiln_set_own_attribute(PyObject* object, PyObject* name, PyObject* value) {
    PyDictValues* values = values_of(object);
    PyObject* dict = values == NULL ? Py_XNewRef(dict_of(object)) : NULL;
    int status = -1;
    if (values != NULL) {
        status = set_in_values(object, values, name, value);
    } else if (dict != NULL) {
        status = set_in_dict(object, (PyDictObject*)dict, name, value);
    }
    Py_XDECREF(dict);
    if (status != 0) {
        PyErr_Clear();
    }
    return status == 0;
}
