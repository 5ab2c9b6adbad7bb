// Helpers for unpacking, and for what `match` statements ask: as CPython's evaluation loop does it (Python/ceval.c of 3.12).
#include <Python.h>

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"
#include "jit/ir/tables.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_words.h"

namespace kiln {
namespace {

// ---- a, b = items; a, *b, c = items

// `before` and `after` items of a sequence that has as many, around the list of all others.
PyObject* partsOf(PyObject* sequence, Py_ssize_t before, Py_ssize_t after) {
    Py_ssize_t rest = PySequence_Fast_GET_SIZE(sequence) - before - after;
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    Ref<> parts = Ref<>::steal(PyTuple_New(before + 1 + after));
    PyObject* list = parts ? PyList_New(rest) : nullptr;
    if (list == nullptr) {
        return nullptr;
    }
    for (Py_ssize_t index = 0; index < rest; index++) {
        PyList_SET_ITEM(list, index, Py_NewRef(items[before + index]));
    }
    PyTuple_SET_ITEM(parts.get(), before, list);
    for (Py_ssize_t index = 0; index < before; index++) {
        PyTuple_SET_ITEM(parts.get(), index, Py_NewRef(items[index]));
    }
    for (Py_ssize_t index = 0; index < after; index++) {
        PyTuple_SET_ITEM(parts.get(), before + 1 + index, Py_NewRef(items[before + rest + index]));
    }
    return parts.release();
}

// words: before, after, sequence.
int64_t plainUnpackRest(const int64_t* w, int64_t) {
    bool suffices = PySequence_Fast_GET_SIZE(object(w[2])) >= w[0] + w[1];
    return suffices ? madeBy(partsOf(object(w[2]), w[0], w[1])) : 0;
}

PyObject* iteratorToUnpack(PyObject* iterable) {
    PyObject* iterator = PyObject_GetIter(iterable);
    if (iterator == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) && Py_TYPE(iterable)->tp_iter == nullptr && !PySequence_Check(iterable)) {
        PyErr_Format(PyExc_TypeError, "cannot unpack non-iterable %.200s object", Py_TYPE(iterable)->tp_name);
    }
    return iterator;
}

// words: number of items, iterable.
int64_t unpack(const int64_t* w, int64_t) {
    int wanted = static_cast<int>(w[0]);
    Ref<> iterator = Ref<>::steal(iteratorToUnpack(object(w[1])));
    if (!iterator) {
        return 0;
    }
    Ref<> items = Ref<>::steal(PyTuple_New(wanted));
    for (int index = 0; items && index < wanted; index++) {
        PyObject* item = PyIter_Next(iterator.get());
        if (item == nullptr) {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected %d, got %d)", wanted, index);
            }
            return 0;
        }
        PyTuple_SET_ITEM(items.get(), index, item);
    }
    if (Ref<> more = Ref<>::steal(PyIter_Next(iterator.get())); more) {
        PyErr_Format(PyExc_ValueError, "too many values to unpack (expected %d)", wanted);
    }
    return PyErr_Occurred() ? 0 : word(items.release());
}

// Takes the first items one by one, and then all others.
int64_t unpackRest(const int64_t* w, int64_t) {
    Ref<> iterator = Ref<>::steal(iteratorToUnpack(object(w[2])));
    Ref<> all = Ref<>::steal(iterator ? PyList_New(0) : nullptr);
    for (int64_t index = 0; all && index < w[0]; index++) {
        Ref<> item = Ref<>::steal(PyIter_Next(iterator.get()));
        if (!item) {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected at least %d, got %d)", static_cast<int>(w[0] + w[1]), static_cast<int>(index));
            }
            return 0;
        }
        if (PyList_Append(all.get(), item.get()) != 0) {
            return 0;
        }
    }
    Ref<> rest = Ref<>::steal(all ? PySequence_List(iterator.get()) : nullptr);
    if (!rest || PyList_SetSlice(all.get(), w[0], w[0], rest.get()) != 0) {
        return 0;
    }
    if (PyList_GET_SIZE(rest.get()) < w[1]) {
        PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected at least %d, got %zd)", static_cast<int>(w[0] + w[1]), PyList_GET_SIZE(all.get()));
        return 0;
    }
    return word(partsOf(all.get(), w[0], w[1]));
}

// ---- match

// words: flags, subject.
int64_t classHas(const int64_t* w, int64_t) {
    return (Py_TYPE(object(w[1]))->tp_flags & static_cast<unsigned long>(w[0])) != 0;
}

int64_t length(const int64_t* w, int64_t) {
    Py_ssize_t size = PyObject_Size(object(w[0]));
    return size < 0 ? 0 : word(PyLong_FromSsize_t(size));
}

// False when the name came before, or with an exception.
bool addOnce(PyObject* seen, PyObject* name) {
    int found = PySet_Contains(seen, name);
    return found == 0 && PySet_Add(seen, name) == 0;
}

// words: subject, keys.
int64_t matchKeys(const int64_t* w, int64_t) {
    PyObject* keys = object(w[1]);
    Py_ssize_t count = PyTuple_GET_SIZE(keys);
    if (count == 0) {
        return word(PyTuple_New(0));
    }
    Ref<> get = Ref<>::steal(PyObject_GetAttrString(object(w[0]), "get"));
    Ref<> seen = Ref<>::steal(get ? PySet_New(nullptr) : nullptr);
    Ref<> missing = Ref<>::steal(seen ? PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type)) : nullptr);
    Ref<> values = Ref<>::steal(missing ? PyTuple_New(count) : nullptr);
    for (Py_ssize_t index = 0; values && index < count; index++) {
        PyObject* key = PyTuple_GET_ITEM(keys, index);
        if (!addOnce(seen.get(), key)) {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_ValueError, "mapping pattern checks duplicate key (%R)", key);
            }
            return 0;
        }
        PyObject* arguments[] = {key, missing.get()};
        PyObject* value = PyObject_Vectorcall(get.get(), arguments, 2, nullptr);
        if (value == nullptr) {
            return 0;
        }
        if (value == missing.get()) {
            Py_DECREF(value);
            return word(Py_NewRef(Py_None));
        }
        PyTuple_SET_ITEM(values.get(), index, value);
    }
    return word(values.release());
}

// Of strings that are all different.
bool areDistinctTexts(PyObject* keys) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(keys); index++) {
        PyObject* key = PyTuple_GET_ITEM(keys, index);
        for (Py_ssize_t before = 0; PyUnicode_CheckExact(key) && before < index; before++) {
            if (_PyUnicode_Equal(PyTuple_GET_ITEM(keys, before), key)) {
                return false;
            }
        }
        if (!PyUnicode_CheckExact(key)) {
            return false;
        }
    }
    return true;
}

// words: dict, keys.
int64_t plainMatchKeys(const int64_t* w, int64_t) {
    PyObject* keys = object(w[1]);
    if (!areDistinctTexts(keys)) {
        return 0;
    }
    Ref<> values = Ref<>::steal(PyTuple_New(PyTuple_GET_SIZE(keys)));
    for (Py_ssize_t index = 0; values && index < PyTuple_GET_SIZE(keys); index++) {
        PyObject* key = PyTuple_GET_ITEM(keys, index);
        KilnEntry entry = {};
        KilnAnswer answer = kiln_dict_find(object(w[0]), key, PyObject_Hash(key), &entry);
        if (answer != KILN_YES) {
            return answer == KILN_NO ? word(Py_NewRef(Py_None)) : 0;
        }
        PyTuple_SET_ITEM(values.get(), index, Py_NewRef(*entry.place));
    }
    return madeBy(values.release());
}

// words: subject, class. Of an instance that says another class than it has, CPython asks.
int64_t plainMatchSelf(const int64_t* w, int64_t) {
    auto* cls = reinterpret_cast<PyTypeObject*>(w[1]);
    if (PyObject_TypeCheck(object(w[0]), cls)) {
        return madeBy(PyTuple_Pack(1, object(w[0])));
    }
    return kiln_instances_tell_class(Py_TYPE(object(w[0]))) ? word(Py_NewRef(Py_None)) : 0;
}

struct ClassPattern {
    PyObject* subject;
    PyTypeObject* type;
    PyObject* seen;   // set of names
    PyObject* found;  // list of attributes
};

// False without an exception when the subject lacks it.
bool takeAttribute(const ClassPattern& pattern, PyObject* name) {
    if (!addOnce(pattern.seen, name)) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple sub-patterns for attribute %R", pattern.type->tp_name, name);
        }
        return false;
    }
    Ref<> value = Ref<>::steal(PyObject_GetAttr(pattern.subject, name));
    if (!value && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
    }
    return value && PyList_Append(pattern.found, value.get()) == 0;
}

// The names of the class's `__match_args__`, empty without one; nullptr with an exception. `*self`: the one sub-pattern is for the subject.
PyObject* positionalNames(PyTypeObject* type, bool* self) {
    PyObject* names = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__match_args__");
    if (names == nullptr && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        *self = PyType_HasFeature(type, _Py_TPFLAGS_MATCH_SELF);
        return PyTuple_New(0);
    }
    if (names != nullptr && !PyTuple_CheckExact(names)) {
        PyErr_Format(PyExc_TypeError, "%s.__match_args__ must be a tuple (got %s)", type->tp_name, Py_TYPE(names)->tp_name);
        Py_CLEAR(names);
    }
    return names;
}

bool takePositional(const ClassPattern& pattern, Py_ssize_t count) {
    bool self = false;
    Ref<> names = Ref<>::steal(positionalNames(pattern.type, &self));
    if (!names) {
        return false;
    }
    Py_ssize_t allowed = self ? 1 : PyTuple_GET_SIZE(names.get());
    if (allowed < count) {
        PyErr_Format(PyExc_TypeError, "%s() accepts %d positional sub-pattern%s (%d given)", pattern.type->tp_name, static_cast<int>(allowed),
                     allowed == 1 ? "" : "s", static_cast<int>(count));
        return false;
    }
    if (self) {
        return PyList_Append(pattern.found, pattern.subject) == 0;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject* name = PyTuple_GET_ITEM(names.get(), index);
        if (!PyUnicode_CheckExact(name)) {
            PyErr_Format(PyExc_TypeError, "__match_args__ elements must be strings (got %s)", Py_TYPE(name)->tp_name);
            return false;
        }
        if (!takeAttribute(pattern, name)) {
            return false;
        }
    }
    return true;
}

// words: how many positional sub-patterns, subject, class, names of the others. A tuple of attributes, or None.
int64_t matchClass(const int64_t* w, int64_t) {
    PyObject* type = object(w[2]);
    if (!PyType_Check(type)) {
        PyErr_SetString(PyExc_TypeError, "called match pattern must be a class");
        return 0;
    }
    int matches = PyObject_IsInstance(object(w[1]), type);
    if (matches <= 0) {
        return matches < 0 ? 0 : word(Py_NewRef(Py_None));
    }
    Ref<> seen = Ref<>::steal(PySet_New(nullptr));
    Ref<> found = Ref<>::steal(seen ? PyList_New(0) : nullptr);
    if (!found) {
        return 0;
    }
    ClassPattern pattern{.subject = object(w[1]), .type = reinterpret_cast<PyTypeObject*>(type), .seen = seen.get(), .found = found.get()};
    bool all = w[0] == 0 || takePositional(pattern, w[0]);
    for (Py_ssize_t index = 0; all && index < PyTuple_GET_SIZE(object(w[3])); index++) {
        all = takeAttribute(pattern, PyTuple_GET_ITEM(object(w[3]), index));
    }
    if (!all) {
        return PyErr_Occurred() != nullptr ? 0 : word(Py_NewRef(Py_None));
    }
    return word(PyList_AsTuple(found.get()));
}

}  // namespace

void fillPatternHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_unpack, unpack);
    set(Helper::k_unpack_rest, unpackRest);
    set(Helper::k_plain_unpack_rest, plainUnpackRest);
    set(Helper::k_class_has, classHas);
    set(Helper::k_length, length);
    set(Helper::k_plain_match_keys, plainMatchKeys);
    set(Helper::k_plain_match_self, plainMatchSelf);
    set(Helper::k_match_keys, matchKeys);
    set(Helper::k_match_class, matchClass);
}

}  // namespace kiln
