/* Iterators over dicts and sets, moved on from entry to entry without making what CPython's make. */
#define Py_BUILD_CORE
#include "interp/cpython/unpublished_objects.h"

#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_dict.h>
#include <internal/pycore_list.h>

/* The key and its value lie side by side in both kinds of tables. */
_Static_assert(offsetof(PyDictUnicodeEntry, me_value) == offsetof(PyDictUnicodeEntry, me_key) + sizeof(PyObject*), "entry");
_Static_assert(offsetof(PyDictKeyEntry, me_value) == offsetof(PyDictKeyEntry, me_key) + sizeof(PyObject*), "entry");

bool kiln_is_dict_iterator(PyTypeObject* type) {
    bool known = type == &PyDictIterKey_Type || type == &PyDictIterValue_Type || type == &PyDictIterItem_Type;
    return known && type->tp_basicsize == sizeof(KilnDictIterator);
}

bool kiln_is_set_iterator(PyTypeObject* type) {
    return type == &PySetIter_Type && type->tp_basicsize == sizeof(KilnSetIterator);
}

PyObject* kiln_iterated_table(PyObject* iterator) {
    return kiln_is_dict_iterator(Py_TYPE(iterator)) ? (PyObject*)((KilnDictIterator*)iterator)->dict
                                                    : (PyObject*)((KilnSetIterator*)iterator)->set;
}

/* It begins with two Nones, and keeps the last pair that it gave. */
static bool holds_a_pair(PyObject* iterator) {
    PyObject* pair = ((KilnDictIterator*)iterator)->result;
    return pair != NULL && (!Py_IsNone(PyTuple_GET_ITEM(pair, 0)) || !Py_IsNone(PyTuple_GET_ITEM(pair, 1)));
}

bool kiln_held_by_iterator(PyObject* object, PyObject** held) {
    PyTypeObject* type = Py_TYPE(object);
    if (kiln_is_dict_iterator(type) || kiln_is_set_iterator(type)) {
        *held = kiln_iterated_table(object);
        return type != &PyDictIterItem_Type || !holds_a_pair(object);
    }
    if (type == &PyDictItems_Type || type == &PyDictValues_Type || type == &PyDictKeys_Type) {
        *held = (PyObject*)((_PyDictViewObject*)object)->dv_dict;
        return true;
    }
    if (type == &PyListIter_Type || type == &PyTupleIter_Type) {
        *held = (PyObject*)((_PyListIterObject*)object)->it_seq;
        return true;
    }
    return false;
}

static PyObject** entry_of(PyDictKeysObject* keys, Py_ssize_t index) {
    return DK_IS_UNICODE(keys) ? &DK_UNICODE_ENTRIES(keys)[index].me_key : &DK_ENTRIES(keys)[index].me_key;
}

/* Of a dict that has an instance's values, in the order in which they were set: its keys are shared, and its values lie elsewhere. So
 * key and value are put side by side here, until the next entry is asked for. */
static KilnAnswer next_in_values(KilnDictIterator* iterator, PyObject*** entry) {
    enum { kOrderOffset = 3 }; /* below the values, a byte for each, downwards */
    static PyObject* pair[2];
    PyDictObject* dict = iterator->dict;
    Py_ssize_t position = iterator->position;
    if (position >= dict->ma_used) {
        return KILN_NO;
    }
    if (iterator->left == 0) {
        return KILN_ASK; /* it raises */
    }
    uint8_t index = ((const uint8_t*)dict->ma_values)[-kOrderOffset - position];
    iterator->position = position + 1;
    iterator->left--;
    pair[0] = DK_UNICODE_ENTRIES(dict->ma_keys)[index].me_key;
    pair[1] = dict->ma_values->values[index];
    *entry = pair;
    return KILN_YES;
}

static KilnAnswer next_in_dict(KilnDictIterator* iterator, PyObject*** entry) {
    PyDictObject* dict = iterator->dict;
    if (dict == NULL) {
        return KILN_NO;
    }
    if (iterator->used != dict->ma_used) {
        return KILN_ASK; /* it raises */
    }
    if (dict->ma_values != NULL) {
        return next_in_values(iterator, entry);
    }
    Py_ssize_t end = dict->ma_keys->dk_nentries;
    Py_ssize_t index = iterator->position;
    while (index < end && entry_of(dict->ma_keys, index)[1] == NULL) {
        index++;
    }
    if (index >= end) {
        return KILN_NO;
    }
    if (iterator->left == 0) {
        return KILN_ASK; /* it raises */
    }
    iterator->position = index + 1;
    iterator->left--;
    *entry = entry_of(dict->ma_keys, index);
    return KILN_YES;
}

static KilnAnswer next_in_set(KilnSetIterator* iterator, PyObject*** entry) {
    PySetObject* set = iterator->set;
    if (set == NULL) {
        return KILN_NO;
    }
    if (iterator->used != set->used) {
        return KILN_ASK;
    }
    Py_ssize_t index = iterator->position;
    while (index <= set->mask && (set->table[index].key == NULL || set->table[index].hash == -1)) {
        index++;
    }
    if (index > set->mask) {
        return KILN_NO;
    }
    iterator->position = index + 1;
    iterator->left--;
    *entry = &set->table[index].key;
    return KILN_YES;
}

KilnAnswer kiln_next_entry(PyObject* iterator, PyObject*** entry) {
    return kiln_is_dict_iterator(Py_TYPE(iterator)) ? next_in_dict((KilnDictIterator*)iterator, entry)
                                                    : next_in_set((KilnSetIterator*)iterator, entry);
}

bool kiln_is_text_iterator(PyTypeObject* type) {
    static PyTypeObject* ascii = NULL;
    if (ascii == NULL) {
        PyObject* text = PyUnicode_FromOrdinal('a');
        PyObject* iterator = text != NULL ? PyObject_GetIter(text) : NULL;
        ascii = iterator != NULL ? Py_TYPE(iterator) : NULL; /* a static class */
        Py_XDECREF(iterator);
        Py_XDECREF(text);
        PyErr_Clear();
    }
    return type == &PyUnicodeIter_Type || (type == ascii && ascii != NULL);
}
