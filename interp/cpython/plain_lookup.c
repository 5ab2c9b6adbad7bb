/* Dicts and sets looked into without running Python code, which a key's __hash__ and __eq__ may be. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_dict.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_long.h>
#include <internal/pycore_object.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_unicodeobject.h>
#include <string.h>

/* Tuples within tuples are followed so deep, and no further. */
enum { kMostDepth = 3, kMostItems = 64 };

/* With -b, comparing bytes with str or int warns, and a warning may be handled by Python code. */
static bool bytes_compare_quietly(void) {
    return _PyInterpreterState_GetConfig(_PyInterpreterState_GET())->bytes_warning == 0;
}

/* Equal to itself only, as far as its own class says. */
static inline bool compares_by_identity(PyObject* object) {
    return Py_TYPE(object)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

static bool is_plain_tuple(PyObject* tuple, int depth, bool or_identity);

/* `or_identity`: what compares by identity is as good. */
static inline bool is_plain(PyObject* object, int depth, bool or_identity) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || object == Py_None) {
        return true;
    }
    if (type == &PyTuple_Type) {
        return is_plain_tuple(object, depth, or_identity);
    }
    return (or_identity && compares_by_identity(object)) || (type == &PyBytes_Type && bytes_compare_quietly());
}

static bool is_plain_tuple(PyObject* tuple, int depth, bool or_identity) {
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (depth == kMostDepth || count > kMostItems) {
        return false;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        if (!is_plain(PyTuple_GET_ITEM(tuple, index), depth + 1, or_identity)) {
            return false;
        }
    }
    return true;
}

bool kiln_is_plain(PyObject* object) {
    return is_plain(object, 0, false);
}

bool kiln_compares_plainly(PyObject* object) {
    return is_plain(object, 0, true);
}

bool kiln_compares_by_identity(PyObject* object) {
    return compares_by_identity(object);
}

static bool equal_ints(PyObject* a, PyObject* b) {
    const _PyLongValue* left = &((PyLongObject*)a)->long_value;
    const _PyLongValue* right = &((PyLongObject*)b)->long_value;
    size_t digits = left->lv_tag >> _PyLong_NON_SIZE_BITS;
    return left->lv_tag == right->lv_tag && (left->ob_digit[0] == right->ob_digit[0]) &&
           (digits < 2 || memcmp(left->ob_digit, right->ob_digit, digits * sizeof(digit)) == 0);
}

static KilnAnswer answer_of(bool holds) {
    return holds ? KILN_YES : KILN_NO;
}

static KilnAnswer plain_equal(PyObject* a, PyObject* b, int depth);

/* Of different lengths, too, CPython asks items until two differ. */
static KilnAnswer equal_tuples(PyObject* a, PyObject* b, int depth) {
    Py_ssize_t count = PyTuple_GET_SIZE(a);
    Py_ssize_t other = PyTuple_GET_SIZE(b);
    if (depth == kMostDepth) {
        return KILN_ASK;
    }
    for (Py_ssize_t index = 0; index < count && index < other; index++) {
        KilnAnswer answer = plain_equal(PyTuple_GET_ITEM(a, index), PyTuple_GET_ITEM(b, index), depth + 1);
        if (answer != KILN_YES) {
            return answer;
        }
    }
    return answer_of(count == other);
}

static KilnAnswer plain_equal(PyObject* a, PyObject* b, int depth) {
    PyTypeObject* type = Py_TYPE(a);
    if (a == b) {
        return KILN_YES;
    }
    if (type == Py_TYPE(b) && (type == &PyUnicode_Type || type == &PyLong_Type)) {
        return answer_of(type == &PyLong_Type ? equal_ints(a, b) : _PyUnicode_Equal(a, b) != 0);
    }
    if (type == Py_TYPE(b) && type == &PyTuple_Type) {
        return equal_tuples(a, b, depth);
    }
    if (!is_plain(a, depth, true) || !is_plain(b, depth, true)) {
        return KILN_ASK;
    }
    if (compares_by_identity(a) || compares_by_identity(b)) {
        return KILN_NO;
    }
    int equal = PyObject_RichCompareBool(a, b, Py_EQ);
    if (equal < 0) {
        PyErr_Clear();
        return KILN_ASK;
    }
    return answer_of(equal != 0);
}

KilnAnswer kiln_plain_equal(PyObject* a, PyObject* b) {
    return plain_equal(a, b, 0);
}

static inline Py_ssize_t entry_at(const PyDictKeysObject* keys, size_t place) {
    int size = DK_LOG_SIZE(keys);
    if (size < 8) {
        return ((const int8_t*)keys->dk_indices)[place];
    }
    if (size < 16) {
        return ((const int16_t*)keys->dk_indices)[place];
    }
    return size < 32 ? ((const int32_t*)keys->dk_indices)[place] : (Py_ssize_t)((const int64_t*)keys->dk_indices)[place];
}

/* Both have the same hash. */
static inline KilnAnswer equal_keys(PyObject* found, PyObject* key) {
    if (PyLong_CheckExact(found) && PyLong_CheckExact(key)) {
        return answer_of(equal_ints(found, key));
    }
    return plain_equal(found, key, 0);
}

/* The index of the key's entry, in `*index`. */
static inline KilnAnswer find_entry(PyDictKeysObject* keys, PyObject* key, Py_hash_t hash, bool texts, Py_ssize_t* index) {
    enum { kPerturbShift = 5 };
    const void* entries = _DK_ENTRIES(keys);
    size_t mask = (size_t)DK_SIZE(keys) - 1;
    size_t perturb = (size_t)hash;
    for (size_t place = perturb & mask;; place = (place * 5 + perturb + 1) & mask) {
        Py_ssize_t at = entry_at(keys, place);
        if (at == DKIX_EMPTY) {
            return KILN_NO;
        }
        if (at >= 0) {
            PyObject* found = texts ? ((const PyDictUnicodeEntry*)entries)[at].me_key : ((const PyDictKeyEntry*)entries)[at].me_key;
            *index = at;
            if (found == key) {
                return KILN_YES;
            }
            Py_hash_t known = texts ? _PyASCIIObject_CAST(found)->hash : ((const PyDictKeyEntry*)entries)[at].me_hash;
            KilnAnswer answer = known == hash ? equal_keys(found, key) : KILN_NO;
            if (answer != KILN_NO) {
                return answer;
            }
        }
        perturb >>= kPerturbShift;
    }
}

static Py_hash_t plain_hash(PyObject* key, int depth);

/* Of a tuple and its items at once, as tuples are hashed since CPython 3.8: by a variant of xxHash (XXH64, Yann Collet). */
static Py_hash_t hash_tuple(PyObject* tuple, int depth) {
    const Py_uhash_t prime1 = 11400714785074694791u;
    const Py_uhash_t prime2 = 14029467366897019727u;
    const Py_uhash_t prime5 = 2870177450012600261u;
    enum { kRotation = 31, kBits = 64, kOfLength = 3527539, kInsteadOfError = 1546275796 };
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (depth == kMostDepth || count > kMostItems) {
        return -1;
    }
    Py_uhash_t hash = prime5;
    for (Py_ssize_t index = 0; index < count; index++) {
        Py_hash_t item = plain_hash(PyTuple_GET_ITEM(tuple, index), depth + 1);
        if (item == -1) {
            return -1;
        }
        hash += (Py_uhash_t)item * prime2;
        hash = (hash << kRotation | hash >> (kBits - kRotation)) * prime1;
    }
    hash += (Py_uhash_t)count ^ (prime5 ^ kOfLength);
    return hash == (Py_uhash_t)-1 ? kInsteadOfError : (Py_hash_t)hash;
}

static bool hashes_plainly(PyObject* key, int depth) {
    return Py_TYPE(key)->tp_hash == PyBaseObject_Type.tp_hash ? compares_by_identity(key) : is_plain(key, depth, false);
}

static Py_hash_t plain_hash(PyObject* key, int depth) {
    if (PyUnicode_CheckExact(key) && _PyASCIIObject_CAST(key)->hash != -1) {
        return _PyASCIIObject_CAST(key)->hash;
    }
    if (PyLong_CheckExact(key) && _PyLong_IsCompact((PyLongObject*)key)) {
        Py_hash_t value = _PyLong_CompactValue((PyLongObject*)key);
        return value == -1 ? -2 : value;
    }
    if (PyTuple_CheckExact(key)) {
        return hash_tuple(key, depth);
    }
    if (!hashes_plainly(key, depth)) {
        return -1;
    }
    Py_hash_t hash = PyObject_Hash(key);
    if (hash == -1) {
        PyErr_Clear();
    }
    return hash;
}

Py_hash_t kiln_plain_hash(PyObject* key) {
    return plain_hash(key, 0);
}

KilnAnswer kiln_dict_find(PyObject* dict, PyObject* key, Py_hash_t hash, KilnEntry* found) {
    Py_ssize_t index = 0;
    PyDictKeysObject* keys = ((PyDictObject*)dict)->ma_keys;
    bool texts = DK_IS_UNICODE(keys);
    KilnAnswer answer = texts ? find_entry(keys, key, hash, true, &index) : find_entry(keys, key, hash, false, &index);
    if (answer != KILN_YES) {
        return answer;
    }
    PyDictValues* values = ((PyDictObject*)dict)->ma_values;
    if (texts) {
        PyDictUnicodeEntry* entry = DK_UNICODE_ENTRIES(keys) + index;
        *found = (KilnEntry){entry->me_key, values != NULL ? &values->values[index] : &entry->me_value};
    } else {
        PyDictKeyEntry* entry = DK_ENTRIES(keys) + index;
        *found = (KilnEntry){entry->me_key, &entry->me_value};
    }
    return answer_of(*found->place != NULL); /* or a key that the dict shares, but does not have */
}

PyObject* kiln_dict_of_texts(PyObject* const* items, Py_ssize_t count) {
    return _PyDict_FromItems(items, 2, items + 1, 2, count);
}

bool kiln_dict_replace(PyObject* dict, PyObject** place, PyObject* value) {
    if (!_PyObject_GC_IS_TRACKED(dict) && _PyObject_GC_MAY_BE_TRACKED(value)) {
        return false;
    }
    PyObject* displaced = *place;
    *place = Py_NewRef(value);
    ((PyDictObject*)dict)->ma_version_tag = DICT_NEXT_VERSION(_PyInterpreterState_GET());
    Py_DECREF(displaced);
    return true;
}

bool kiln_dict_is_watched(PyObject* dict) {
    return (((PyDictObject*)dict)->ma_version_tag & DICT_VERSION_MASK) != 0;
}

KilnAnswer kiln_set_find(PyObject* set, PyObject* key, Py_hash_t hash, PyObject** found) {
    enum { kPerturbShift = 5, kLinearProbes = 9 };
    const PySetObject* table = (PySetObject*)set;
    size_t mask = (size_t)table->mask;
    size_t perturb = (size_t)hash;
    for (size_t place = perturb & mask;; place = (place * 5 + 1 + perturb) & mask) {
        const setentry* entry = &table->table[place];
        for (int probes = place + kLinearProbes <= mask ? kLinearProbes : 0; probes >= 0; probes--, entry++) {
            if (entry->hash != hash) {
                if (entry->key == NULL) {
                    return KILN_NO;
                }
                continue;
            }
            if (entry->key == NULL) { /* the hash is 0, as an empty entry's is */
                return KILN_NO;
            }
            bool ints = PyLong_CheckExact(key) && PyLong_CheckExact(entry->key);
            KilnAnswer answer = entry->key == key ? KILN_YES : ints ? answer_of(equal_ints(entry->key, key)) : plain_equal(entry->key, key, 0);
            if (answer != KILN_NO) {
                *found = entry->key;
                return answer;
            }
        }
        perturb >>= kPerturbShift;
    }
}

/* The first member at this entry or behind it, where there is one: entries that were given up have no hash. */
static inline const setentry* member_from(const setentry* entry) {
    while (entry->key == NULL || entry->hash == -1) {
        entry++;
    }
    return entry;
}

KilnAnswer kiln_set_is_subset(PyObject* set, PyObject* of) {
    Py_ssize_t left = PySet_GET_SIZE(set);
    if (left > PySet_GET_SIZE(of)) {
        return KILN_NO;
    }
    for (const setentry* entry = ((PySetObject*)set)->table; left > 0; left--, entry++) {
        entry = member_from(entry);
        PyObject* found;
        KilnAnswer answer = kiln_set_find(of, entry->key, entry->hash, &found);
        if (answer != KILN_YES) {
            return answer;
        }
    }
    return KILN_YES;
}

PyObject* kiln_set_select(PyObject* set, PyObject* other, bool common, PyTypeObject* type) {
    PyObject* selected = type == &PySet_Type ? PySet_New(NULL) : PyFrozenSet_New(NULL);
    const setentry* entry = ((PySetObject*)set)->table;
    for (Py_ssize_t left = selected != NULL ? PySet_GET_SIZE(set) : 0; left > 0; left--, entry++) {
        entry = member_from(entry);
        PyObject* found;
        KilnAnswer answer = kiln_set_find(other, entry->key, entry->hash, &found);
        bool adds = answer == (common ? KILN_YES : KILN_NO);
        if (answer == KILN_ASK || (adds && (!hashes_plainly(entry->key, 0) || PySet_Add(selected, entry->key) < 0))) {
            Py_DECREF(selected);
            return NULL;
        }
    }
    return selected;
}

bool kiln_set_holds_only(PyObject* set, bool (*suits)(PyObject*)) {
    const setentry* entry = ((PySetObject*)set)->table;
    for (Py_ssize_t left = PySet_GET_SIZE(set); left > 0; left--, entry++) {
        entry = member_from(entry);
        if (!suits(entry->key)) {
            return false;
        }
    }
    return true;
}

bool kiln_dict_holds_only(PyObject* dict, bool values, bool (*suits)(PyObject*)) {
    if (!values && suits == kiln_compares_plainly && kiln_dict_has_plain_keys(dict)) {
        return true; /* as strings do */
    }
    Py_ssize_t position = 0;
    PyObject* key;
    PyObject* value;
    while (PyDict_Next(dict, &position, &key, &value)) {
        if (!suits(key) || (values && !suits(value))) {
            return false;
        }
    }
    return true;
}

Py_ssize_t kiln_dict_values(PyObject* dict, char** first, size_t* apart) {
    const PyDictObject* table = (PyDictObject*)dict;
    PyDictKeysObject* keys = table->ma_keys;
    if (!DK_IS_UNICODE(keys)) {
        return -1;
    }
    bool isSplit = table->ma_values != NULL;
    *first = isSplit ? (char*)table->ma_values->values : (char*)&DK_UNICODE_ENTRIES(keys)->me_value;
    *apart = isSplit ? sizeof(PyObject*) : sizeof(PyDictUnicodeEntry);
    return keys->dk_nentries;
}

PyObject* kiln_int_in_place(KilnInt* room, int64_t value) {
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    int digits = 0;
    for (; rest != 0; rest >>= PyLong_SHIFT) {
        room->digits[digits++] = (digit)(rest & PyLong_MASK);
    }
    if (digits == 0) {
        room->digits[0] = 0;
    }
    PyObject* object = (PyObject*)room;
    object->ob_refcnt = _Py_IMMORTAL_REFCNT;
    object->ob_type = &PyLong_Type;
    room->tag = ((uintptr_t)digits << _PyLong_NON_SIZE_BITS) | (digits == 0 ? 1 : value < 0 ? 2 : 0);
    return object;
}
