// Helpers that do what CPython does with values of built-in classes, as long as that runs no Python code. Where it would, where
// CPython would raise, or where memory is short, they have done nothing, say so by what they return, and leave no exception.
#include <opcode.h>

#include <algorithm>
#include <array>

#include "interp/buffers.h"
#include "interp/cpython/cpython_shim.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/plain_texts.h"
#include "jit/runtime/plain_words.h"
#include "jit/runtime/release_effects.h"
#include "jit/runtime/set_methods.h"

namespace kiln {
namespace {

int64_t done(int status) {
    if (status < 0) {
        PyErr_Clear();
        return kDeclined;
    }
    return status;
}

struct Found {
    KilnAnswer answer = KILN_ASK;
    Py_hash_t hash = -1;
    KilnEntry entry = {};
};

Found findInDict(PyObject* dict, PyObject* key) {
    Found found{.hash = kiln_plain_hash(key)};
    if (found.hash != -1) {
        found.answer = kiln_dict_find(dict, key, found.hash, &found.entry);
    }
    return found;
}

int64_t valueFor(PyObject* dict, PyObject* key) {
    Found found = findInDict(dict, key);
    return found.answer == KILN_YES ? reinterpret_cast<int64_t>(*found.entry.place) : 0;
}

// words: dict, key.
int64_t item(const int64_t* w, int64_t) {
    return valueFor(object(w[0]), object(w[1]));
}

int64_t itemByInt(const int64_t* w, int64_t) {
    KilnInt room;
    return valueFor(object(w[0]), kiln_int_in_place(&room, w[1]));
}

// Where an index leads, or kDeclined.
int64_t position(int64_t index, Py_ssize_t length) {
    int64_t at = index < 0 ? index + length : index;
    return at >= 0 && at < length ? at : kDeclined;
}

int64_t character(const int64_t* w, int64_t) {
    PyObject* text = object(w[0]);
    int64_t at = position(w[1], PyUnicode_GET_LENGTH(text));
    return at < 0 ? 0 : madeBy(PyUnicode_FromOrdinal(static_cast<int>(PyUnicode_READ_CHAR(text, at))));
}

// words: value, dict, key; one more where the dict is given up behind it.
int64_t setItem(const int64_t* w, int64_t count) {
    PyObject* dict = object(w[1]);
    Found found = findInDict(dict, object(w[2]));
    bool replaces = found.answer == KILN_YES;
    if (found.answer == KILN_ASK || kiln_dict_is_watched(dict) || (replaces && mayRunCode(found.entry.place, 1))) {
        return kDeclined;
    }
    if (replaces && count > kStoreWords && !endsApart(*found.entry.place, dict)) {
        return kDeclined;
    }
    if (replaces && kiln_dict_replace(dict, found.entry.place, object(w[0]))) {
        return 0;
    }
    return done(_PyDict_SetItem_KnownHash(dict, object(w[2]), object(w[0]), found.hash));
}

int64_t deleteFromList(PyObject* list, PyObject* index) {
    int overflow = 0;
    int64_t at = PyLong_CheckExact(index) ? PyLong_AsLongLongAndOverflow(index, &overflow) : kDeclined;
    at = PyLong_CheckExact(index) && overflow == 0 ? position(at, PyList_GET_SIZE(list)) : kDeclined;
    if (at < 0) {
        return kDeclined;
    }
    PyObject* gone = PyList_GET_ITEM(list, at);
    return mayRunCode(&gone, 1) ? kDeclined : done(PySequence_DelItem(list, at));
}

int64_t deleteItem(const int64_t* w, int64_t) {
    PyObject* container = object(w[0]);
    if (PyList_CheckExact(container)) {
        return deleteFromList(container, object(w[1]));
    }
    Found found = findInDict(container, object(w[1]));
    if (found.answer != KILN_YES || kiln_dict_is_watched(container)) {
        return kDeclined;
    }
    std::array<PyObject*, 2> gone = {found.entry.key, *found.entry.place};
    return mayRunCode(gone.data(), gone.size()) ? kDeclined : done(_PyDict_DelItem_KnownHash(container, object(w[1]), found.hash));
}

int64_t sequenceContains(PyObject* const* items, Py_ssize_t count, PyObject* wanted) {
    for (Py_ssize_t index = 0; index < count; index++) {
        KilnAnswer answer = kiln_plain_equal(items[index], wanted);
        if (answer != KILN_NO) {
            return answer;
        }
    }
    return 0;
}

int64_t containsObject(PyObject* container, PyObject* wanted) {
    if (PyDict_Check(container)) {  // or of a subclass that has dict's method
        return findInDict(container, wanted).answer;
    }
    if (PyList_CheckExact(container) || PyTuple_CheckExact(container)) {
        return sequenceContains(PySequence_Fast_ITEMS(container), PySequence_Fast_GET_SIZE(container), wanted);
    }
    if (PyAnySet_CheckExact(container)) {
        Py_hash_t hash = kiln_plain_hash(wanted);
        PyObject* found = nullptr;
        return hash == -1 ? KILN_ASK : kiln_set_find(container, wanted, hash, &found);
    }
    if (PyUnicode_CheckExact(container) && PyUnicode_CheckExact(wanted)) {
        return done(PyUnicode_Contains(container, wanted));
    }
    bool isNumber = PyLong_CheckExact(wanted) || PyFloat_CheckExact(wanted) || PyBool_Check(wanted);
    bool isText = PyBytes_CheckExact(wanted) && (PyBytes_CheckExact(container) || PyByteArray_CheckExact(container));
    return isBufferClass(Py_TYPE(container)) && (isNumber || isText) ? done(PySequence_Contains(container, wanted)) : kDeclined;
}

// By a slot of a built-in class's own, which subclasses without a method for it have, too.
template <typename Slot, typename... Classes>
bool isSlotOf(Slot own, Slot (*slotOf)(PyTypeObject*), Classes*... classes) {
    return (... || (own == slotOf(classes)));
}

int64_t truth(const int64_t* w, int64_t) {
    PyTypeObject* cls = Py_TYPE(object(w[0]));
    auto boolOf = +[](PyTypeObject* type) { return type->tp_as_number != nullptr ? type->tp_as_number->nb_bool : nullptr; };
    auto mappedOf = +[](PyTypeObject* type) { return type->tp_as_mapping != nullptr ? type->tp_as_mapping->mp_length : nullptr; };
    auto lengthOf = +[](PyTypeObject* type) { return type->tp_as_sequence != nullptr ? type->tp_as_sequence->sq_length : nullptr; };
    if (inquiry own = boolOf(cls)) {
        bool known = isSlotOf(own, boolOf, &PyBool_Type, &PyLong_Type, &PyFloat_Type, &PyComplex_Type, Py_TYPE(Py_None));
        return known ? own(object(w[0])) : kDeclined;
    }
    if (lenfunc own = mappedOf(cls)) {
        bool known = isSlotOf(own, mappedOf, &PyList_Type, &PyTuple_Type, &PyDict_Type, &PyUnicode_Type, &PyBytes_Type);
        return known ? static_cast<int64_t>(own(object(w[0])) != 0) : kDeclined;
    }
    lenfunc own = lengthOf(cls);
    bool known = own == nullptr || isSlotOf(own, lengthOf, &PySet_Type, &PyFrozenSet_Type);
    return known ? static_cast<int64_t>(own == nullptr || own(object(w[0])) != 0) : kDeclined;
}

int64_t contains(const int64_t* w, int64_t) {
    return containsObject(object(w[0]), object(w[1]));
}

// KILN_YES or KILN_NO; KILN_ASK when an item is met that is no int.
int64_t isAmongInts(PyObject* sequence, int64_t wanted) {
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(sequence); index++) {
        int overflow = 0;
        if (!PyLong_CheckExact(items[index])) {
            return KILN_ASK;
        }
        if (PyLong_AsLongLongAndOverflow(items[index], &overflow) == wanted && overflow == 0) {
            return KILN_YES;
        }
    }
    return KILN_NO;
}

int64_t containsInt(const int64_t* w, int64_t) {
    PyObject* container = object(w[0]);
    if (PyList_CheckExact(container) || PyTuple_CheckExact(container)) {
        int64_t answer = isAmongInts(container, w[1]);
        if (answer != KILN_ASK) {
            return answer;
        }
    }
    KilnInt room;
    return containsObject(object(w[0]), kiln_int_in_place(&room, w[1]));
}

int64_t truthOf(PyObject* result) {
    if (result == nullptr) {
        PyErr_Clear();
        return kDeclined;
    }
    int64_t truth = result == Py_True ? 1 : result == Py_False ? 0 : kDeclined;
    Py_DECREF(result);
    return truth;
}

int64_t comparePlain(int operation, PyObject* a, PyObject* b) {
    bool byIdentity = kiln_compares_by_identity(a) || kiln_compares_by_identity(b);
    if (byIdentity && (operation == Py_EQ || operation == Py_NE)) {
        bool plain = kiln_compares_plainly(a) && kiln_compares_plainly(b);
        return plain ? (a == b) == (operation == Py_EQ) : kDeclined;
    }
    if (!kiln_is_plain(a) || !kiln_is_plain(b)) {
        return kDeclined;
    }
    return truthOf(PyObject_RichCompare(a, b, operation));
}

// Of two lists, or two tuples: what counts is the first pair that is not equal.
int64_t compareSequences(int operation, PyObject* a, PyObject* b) {
    Py_ssize_t sizeA = PySequence_Fast_GET_SIZE(a);
    Py_ssize_t sizeB = PySequence_Fast_GET_SIZE(b);
    bool equality = operation == Py_EQ || operation == Py_NE;
    if (equality && sizeA != sizeB && PyList_CheckExact(a)) {
        return operation == Py_NE;
    }
    for (Py_ssize_t index = 0; index < std::min(sizeA, sizeB); index++) {
        PyObject* left = PySequence_Fast_ITEMS(a)[index];
        PyObject* right = PySequence_Fast_ITEMS(b)[index];
        KilnAnswer same = kiln_plain_equal(left, right);
        if (same != KILN_YES) {
            return same == KILN_ASK ? kDeclined : equality ? operation == Py_NE : comparePlain(operation, left, right);
        }
    }
    switch (operation) {
        case Py_LT: return sizeA < sizeB;
        case Py_LE: return sizeA <= sizeB;
        case Py_GT: return sizeA > sizeB;
        case Py_GE: return sizeA >= sizeB;
        default: return (sizeA == sizeB) == (operation == Py_EQ);
    }
}

// Of two dicts: the first entry that the other one has not, or has otherwise, tells.
KilnAnswer equalDicts(PyObject* a, PyObject* b) {
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    KilnAnswer same = PyDict_GET_SIZE(a) == PyDict_GET_SIZE(b) ? KILN_YES : KILN_NO;
    while (same == KILN_YES && PyDict_Next(a, &position, &key, &value)) {
        Found found = findInDict(b, key);
        same = found.answer == KILN_YES ? kiln_plain_equal(value, *found.entry.place) : found.answer;
    }
    return same;
}

int64_t compareBuiltins(int operation, PyObject* a, PyObject* b) {
    PyTypeObject* cls = Py_TYPE(a);
    bool equality = operation == Py_EQ || operation == Py_NE;
    if (cls == &PyUnicode_Type && Py_IS_TYPE(b, &PyUnicode_Type) && equality) {
        return _PyUnicode_Equal(a, b) == (operation == Py_EQ);
    }
    if (Py_IS_TYPE(b, cls) && (cls == &PyList_Type || cls == &PyTuple_Type)) {
        return compareSequences(operation, a, b);
    }
    if (PyAnySet_CheckExact(a) && PyAnySet_CheckExact(b)) {
        KilnAnswer holds = compareSets(operation, a, b);
        return holds == KILN_ASK ? kDeclined : static_cast<int64_t>(holds);
    }
    if (cls == &PyDict_Type && PyDict_CheckExact(b) && equality) {
        KilnAnswer same = equalDicts(a, b);
        return same == KILN_ASK ? kDeclined : (same == KILN_YES) == (operation == Py_EQ);
    }
    return comparePlain(operation, a, b);
}

// words: comparison, left, right.
int64_t compare(const int64_t* w, int64_t) {
    return compareBuiltins(static_cast<int>(w[0]), object(w[1]), object(w[2]));
}

int64_t attribute(const int64_t* w, int64_t) {
    PyObject* value = nullptr;
    kiln_quiet_attribute(object(w[0]), object(w[1]), &value);
    return reinterpret_cast<int64_t>(value);
}

int64_t method(const int64_t* w, int64_t) {
    return reinterpret_cast<int64_t>(kiln_quiet_method(object(w[0]), object(w[1])));
}

// Also of an instance that has its attributes in a dict, if nobody watches that. One word more where the instance is given up behind it.
int64_t setAttribute(const int64_t* w, int64_t count) {
    PyObject* instance = object(w[0]);
    PyObject* name = object(w[1]);
    Py_ssize_t offset = 0;
    KilnAnswer answer = kiln_quiet_store(Py_TYPE(instance), name, &offset);
    if (answer == KILN_ASK) {
        return kDeclined;
    }
    auto* slot = answer == KILN_NO ? reinterpret_cast<PyObject**>(reinterpret_cast<char*>(instance) + offset) : nullptr;
    PyObject* displaced = slot != nullptr ? *slot : kiln_own_attribute(instance, name);
    if (mayRunCode(&displaced, 1) || (count > kStoreWords && !endsApart(displaced, instance))) {
        return kDeclined;
    }
    if (slot == nullptr) {
        return kiln_set_own_attribute(instance, name, object(w[2])) ? 0 : kDeclined;
    }
    *slot = Py_NewRef(object(w[2]));
    Py_XDECREF(displaced);
    return 0;
}

// words: sequence, start, stop.
int64_t slice(const int64_t* w, int64_t) {
    PyObject* sequence = object(w[0]);
    if (isBufferClass(Py_TYPE(sequence)) && !PyBytes_CheckExact(sequence)) {
        return madeBy(PySequence_GetSlice(sequence, w[1], w[2]));
    }
    bool text = PyUnicode_CheckExact(sequence);
    Py_ssize_t length = text ? PyUnicode_GET_LENGTH(sequence) : Py_SIZE(sequence);
    Py_ssize_t start = w[1];
    Py_ssize_t stop = w[2];
    Py_ssize_t count = PySlice_AdjustIndices(length, &start, &stop, 1);
    stop = std::max(start, stop);
    if (text) {
        return madeBy(PyUnicode_Substring(sequence, start, stop));
    }
    if (PyList_CheckExact(sequence)) {
        return madeBy(PyList_GetSlice(sequence, start, stop));
    }
    if (PyTuple_CheckExact(sequence)) {
        return madeBy(PyTuple_GetSlice(sequence, start, stop));
    }
    bool whole = count == length;
    return madeBy(whole ? Py_NewRef(sequence) : PyBytes_FromStringAndSize(PyBytes_AS_STRING(sequence) + start, count));
}

int64_t steppedSlice(const int64_t* w, int64_t) {
    return madeBy(PyObject_GetItem(object(w[0]), object(w[1])));
}

// words: list, start, stop, items.
int64_t setSlice(const int64_t* w, int64_t) {
    PyObject* list = object(w[0]);
    Py_ssize_t start = w[1];
    Py_ssize_t stop = w[2];
    Py_ssize_t displaced = PySlice_AdjustIndices(PyList_GET_SIZE(list), &start, &stop, 1);
    if (mayRunCode(reinterpret_cast<PyListObject*>(list)->ob_item + start, static_cast<size_t>(displaced))) {
        return kDeclined;
    }
    return done(PyList_SetSlice(list, start, std::max(start, stop), object(w[3])));
}

bool isSequence(PyTypeObject* cls) {
    return cls == &PyUnicode_Type || cls == &PyBytes_Type || cls == &PyList_Type || cls == &PyTuple_Type;
}

PyObject* combine(int operation, PyObject* a, PyObject* b) {
    PyTypeObject* cls = Py_TYPE(a);
    if (PyAnySet_CheckExact(a) && PyAnySet_CheckExact(b)) {
        return combineSets(operation, a, b);
    }
    if (operation == NB_REMAINDER && cls == &PyUnicode_Type) {
        return formatPlainly(a, b);
    }
    if (operation == NB_ADD && isSequence(cls) && Py_IS_TYPE(b, cls)) {
        return cls->tp_as_sequence->sq_concat(a, b);
    }
    if (operation == NB_MULTIPLY && isSequence(Py_TYPE(b))) {
        std::swap(a, b);
        cls = Py_TYPE(a);
    }
    if (operation == NB_MULTIPLY && isSequence(cls) && PyLong_CheckExact(b)) {
        Py_ssize_t count = PyLong_AsSsize_t(b);
        return count == -1 && PyErr_Occurred() ? nullptr : cls->tp_as_sequence->sq_repeat(a, count);
    }
    return nullptr;
}

int64_t iterator(const int64_t* w, int64_t) {
    return madeBy(PyObject_GetIter(object(w[0])));
}

int64_t nextEntry(const int64_t* w, int64_t) {
    PyObject* iterator = object(w[0]);
    PyObject** entry = nullptr;
    KilnAnswer answer = kiln_next_entry(iterator, &entry);
    if (answer != KILN_NO) {
        return answer == KILN_YES ? reinterpret_cast<int64_t>(entry) : kDeclined;
    }
    PyObject* table = kiln_iterated_table(iterator);
    if (table != nullptr && mayRunCode(&table, 1)) {
        return kDeclined;
    }
    Py_TYPE(iterator)->tp_iternext(iterator);  // gives the table up
    return 0;
}

int64_t nextCharacter(const int64_t* w, int64_t) {
    PyObject* iterator = object(w[0]);
    PyObject* made = Py_TYPE(iterator)->tp_iternext(iterator);
    if (made == nullptr && PyErr_Occurred()) {
        PyErr_Clear();
        made = makeSurely([&] { return Py_TYPE(iterator)->tp_iternext(iterator); });
    }
    return reinterpret_cast<int64_t>(made);
}

// words: operator, left, right.
int64_t binary(const int64_t* w, int64_t) {
    return madeBy(combine(static_cast<int>(w[0]), object(w[1]), object(w[2])));
}

}  // namespace

void fillBuiltinHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_plain_item, item);
    set(Helper::k_plain_item_by_int, itemByInt);
    set(Helper::k_plain_character, character);
    set(Helper::k_plain_set_item, setItem);
    set(Helper::k_plain_delete_item, deleteItem);
    set(Helper::k_plain_contains, contains);
    set(Helper::k_plain_truth, truth);
    set(Helper::k_plain_contains_int, containsInt);
    set(Helper::k_plain_compare, compare);
    set(Helper::k_plain_method, method);
    set(Helper::k_plain_attribute, attribute);
    set(Helper::k_plain_set_attribute, setAttribute);
    set(Helper::k_plain_slice, slice);
    set(Helper::k_plain_stepped_slice, steppedSlice);
    set(Helper::k_plain_set_slice, setSlice);
    set(Helper::k_plain_iterator, iterator);
    set(Helper::k_plain_next_entry, nextEntry);
    set(Helper::k_plain_next_character, nextCharacter);
    set(Helper::k_plain_binary, binary);
    fillBuildingHelpers(table);
    fillGeneratorHelpers(table);
    fillExceptionHelpers(table);
    set(Helper::k_call_by_table, callBuiltinByTable);
}

}  // namespace kiln
