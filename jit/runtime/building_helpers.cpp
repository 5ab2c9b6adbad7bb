// Helpers that fill containers and make strings as long as that runs no Python code: as those of builtin_helpers.cpp.
#include <algorithm>

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_texts.h"
#include "jit/runtime/plain_words.h"

namespace kiln {
namespace {

bool isQuietIterable(PyObject* object) {
    return PyList_CheckExact(object) || PyTuple_CheckExact(object) || PyAnySet_CheckExact(object) || PyDict_CheckExact(object) ||
           PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) || Py_IS_TYPE(object, &PyRange_Type) ||
           Py_IS_TYPE(object, &PyDictKeys_Type) || Py_IS_TYPE(object, &PyDictValues_Type) || Py_IS_TYPE(object, &PyDictItems_Type);
}

int64_t extend(const int64_t* w, int64_t) {
    PyObject* none = isQuietIterable(object(w[1])) ? _PyList_Extend(reinterpret_cast<PyListObject*>(w[0]), object(w[1])) : nullptr;
    if (none == nullptr) {
        PyErr_Clear();
        return kDeclined;
    }
    Py_DECREF(none);
    return 0;
}

bool addTo(PyObject* set, PyObject* item) {
    Py_hash_t hash = kiln_plain_hash(item);
    PyObject* found = nullptr;
    KilnAnswer answer = hash == -1 ? KILN_ASK : kiln_set_find(set, item, hash, &found);
    if (answer == KILN_NO && PySet_Add(set, item) != 0) {
        PyErr_Clear();
        return false;
    }
    return answer != KILN_ASK;
}

int64_t setAdd(const int64_t* w, int64_t) {
    return addTo(object(w[0]), object(w[1])) ? 0 : kDeclined;
}

// Of a set of constants that a display is made of: its items are plain, or none is added.
int64_t setUpdate(const int64_t* w, int64_t) {
    PyObject* source = object(w[1]);
    auto isPlain = [](PyObject* set) { return kiln_set_holds_only(set, kiln_compares_plainly); };
    bool plain = PyAnySet_CheckExact(source) && isPlain(source) && isPlain(object(w[0]));
    if (!plain || _PySet_Update(object(w[0]), source) != 0) {
        PyErr_Clear();
        return kDeclined;
    }
    return 0;
}

bool hasPlainKeys(PyObject* dict) {
    return PyDict_CheckExact(dict) && kiln_dict_has_plain_keys(dict);
}

bool isDisjoint(PyObject* dict, PyObject* other) {
    PyObject* key = nullptr;
    Py_ssize_t position = 0;
    while (PyDict_Next(other, &position, &key, nullptr)) {
        if (PyDict_Contains(dict, key) != 0) {
            PyErr_Clear();
            return false;
        }
    }
    return true;
}

// Of dicts with keys that are all strings.
int64_t update(const int64_t* w, int64_t) {
    bool done = hasPlainKeys(object(w[0])) && hasPlainKeys(object(w[1])) && PyDict_Update(object(w[0]), object(w[1])) == 0;
    PyErr_Clear();
    return done ? 0 : kDeclined;
}

int64_t merge(const int64_t* w, int64_t count) {
    bool plain = hasPlainKeys(object(w[0])) && hasPlainKeys(object(w[1]));
    return plain && isDisjoint(object(w[0]), object(w[1])) ? update(w, count) : kDeclined;
}

int64_t makeMap(const int64_t* w, int64_t count) {
    auto* items = reinterpret_cast<PyObject* const*>(w);
    bool areTexts = true;
    for (int64_t index = 0; areTexts && index < count; index += 2) {
        areTexts = PyUnicode_CheckExact(items[index]);
    }
    if (areTexts) {
        return madeBy(kiln_dict_of_texts(items, count / 2));
    }
    Ref<> dict = Ref<>::steal(PyDict_New());
    for (int64_t index = 0; dict && index < count; index += 2) {
        KilnEntry entry = {};
        Py_hash_t hash = kiln_plain_hash(object(w[index]));
        bool isNew = hash != -1 && kiln_dict_find(dict.get(), object(w[index]), hash, &entry) == KILN_NO;
        if (!isNew || _PyDict_SetItem_KnownHash(dict.get(), object(w[index]), object(w[index + 1]), hash) != 0) {
            PyErr_Clear();
            return 0;
        }
    }
    return madeBy(dict.release());
}

int64_t makeSet(const int64_t* w, int64_t count) {
    Ref<> set = Ref<>::steal(PySet_New(nullptr));
    bool complete = static_cast<bool>(set);
    bool plain = std::all_of(w, w + count, [](int64_t item) { return kiln_compares_plainly(object(item)); });
    for (int64_t index = 0; complete && index < count; index++) {
        bool added = plain ? PySet_Add(set.get(), object(w[index])) == 0 : addTo(set.get(), object(w[index]));
        complete = added && PySet_GET_SIZE(set.get()) == index + 1;
    }
    if (!complete) {
        PyErr_Clear();
        return 0;
    }
    return madeBy(set.release());
}

int64_t decimal(const int64_t* w, int64_t) {
    return madeBy(decimalText(w[0]));
}

// words: value, is it to be represented.
int64_t textOf(const int64_t* w, int64_t) {
    return madeBy(plainText(object(w[0]), w[1] != 0));
}

PyCFunction formatterOf(PyTypeObject* cls) {
    PyObject* method = PyObject_GetAttrString(reinterpret_cast<PyObject*>(cls), "__format__");
    PyCFunction formatter = reinterpret_cast<PyMethodDescrObject*>(method)->d_method->ml_meth;
    Py_DECREF(method);
    return formatter;
}

// words: value, specification. Of ints this looks for signals.
int64_t format(const int64_t* w, int64_t) {
    static const PyCFunction ofFloat = formatterOf(&PyFloat_Type);
    static const PyCFunction ofText = formatterOf(&PyUnicode_Type);
    PyObject* value = object(w[0]);
    bool isFloat = PyFloat_CheckExact(value);
    if (!PyUnicode_CheckExact(object(w[1])) || (!isFloat && !PyUnicode_CheckExact(value))) {
        return 0;
    }
    return madeBy((isFloat ? ofFloat : ofText)(value, object(w[1])));
}

int64_t join(const int64_t* w, int64_t count) {
    Ref<> empty = Ref<>::steal(PyUnicode_New(0, 0));
    return empty ? madeBy(_PyUnicode_JoinArray(empty.get(), reinterpret_cast<PyObject* const*>(w), count)) : madeBy(nullptr);
}

}  // namespace

void fillBuildingHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_plain_extend, extend);
    set(Helper::k_plain_set_update, setUpdate);
    set(Helper::k_plain_set_add, setAdd);
    set(Helper::k_plain_update, update);
    set(Helper::k_plain_merge, merge);
    set(Helper::k_plain_map, makeMap);
    set(Helper::k_plain_set, makeSet);
    set(Helper::k_plain_text, textOf);
    set(Helper::k_plain_decimal, decimal);
    set(Helper::k_plain_format, format);
    set(Helper::k_plain_join, join);
}

}  // namespace kiln
