// Calls by the table builtin_calls.def: looks at the arguments, and calls only where no Python code will run. Where it would, or where
// CPython raises, nothing is done: CPython does it all again.
#include <algorithm>
#include <bit>
#include <iterator>

#include "interp/c_functions.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"
#include "jit/frontend/builtin_calls.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_texts.h"
#include "jit/runtime/quiet_iterables.h"
#include "jit/runtime/release_effects.h"
#include "jit/runtime/sequence_methods.h"
#include "jit/runtime/set_methods.h"

namespace kiln {
namespace {

// Longer ones may be converted by Python code.
constexpr Py_ssize_t kMostDigits = 64;

bool isSmallInt(PyObject* object) {
    int overflow = 0;
    if (!PyLong_CheckExact(object)) {
        return PyBool_Check(object);
    }
    PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow == 0;
}

template <typename Test>
bool areAll(PyObject* sequence, const Test& test) {
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    return std::all_of(items, items + PySequence_Fast_GET_SIZE(sequence), test);
}

bool isText(PyObject* object) {
    return PyUnicode_CheckExact(object);
}

bool isNumber(PyObject* object) {
    return PyLong_CheckExact(object) || PyFloat_CheckExact(object);
}

// Of class `type`: it can't say what its subclasses are.
bool isExactClass(PyObject* object) {
    return PyType_CheckExact(object);
}

bool isDict(PyObject* object) {
    return PyDict_CheckExact(object);
}

bool isBuiltinValue(PyObject* object) {
    return isQuietIterable(object) || isNumber(object) || PyBool_Check(object) || object == Py_None;
}

bool isOrdered(PyObject* object) {
    return isNumber(object) || PyBool_Check(object);
}

// Any two of them can be put in order: texts, numbers, or tuples of as many items, with texts or numbers at each place.
bool haveOrder(PyObject* list) {
    if (areAll(list, isText) || areAll(list, isOrdered)) {
        return true;
    }
    PyObject* first = PyList_GET_ITEM(list, 0);
    Py_ssize_t size = PyTuple_CheckExact(first) ? PyTuple_GET_SIZE(first) : 0;
    if (size == 0 || !areAll(list, [&](PyObject* item) { return PyTuple_CheckExact(item) && PyTuple_GET_SIZE(item) == size; })) {
        return false;
    }
    for (Py_ssize_t place = 0; place < size; place++) {
        auto isAlike = isText(PyTuple_GET_ITEM(first, place)) ? isText : isOrdered;
        if (!areAll(list, [&](PyObject* item) { return isAlike(PyTuple_GET_ITEM(item, place)); })) {
            return false;
        }
    }
    return true;
}

bool isTextOrNumber(PyObject* object) {
    return isText(object) || PyFloat_CheckExact(object) || object == Py_None || isSmallInt(object);
}

bool suitsContainer(char letter, PyObject* object) {
    switch (letter) {
        case 'l': return PyList_CheckExact(object);
        case 'L': return PyList_CheckExact(object) && areAll(object, kiln_is_plain);
        case 'H': return PyList_CheckExact(object) && haveOrder(object);
        case 't': return PyTuple_CheckExact(object);
        case 'j': return isSequence(object) && areAll(object, isText);
        case 'd': return isDict(object) && !kiln_dict_is_watched(object);
        case 'e': return isDict(object);
        case 'E': return isDict(object) && kiln_dict_holds_only(object, false, kiln_compares_plainly);
        case 'c': return Py_IS_TYPE(object, &PySet_Type);
        case 'C': return Py_IS_TYPE(object, &PySet_Type) && kiln_set_holds_only(object, kiln_is_plain);
        case 'S': return PyAnySet_CheckExact(object);
        case 'Z': return PyAnySet_CheckExact(object) && kiln_set_holds_only(object, kiln_compares_plainly);
        case 'u': return isQuietIterable(object);
        case 'K': return holdsOnly(object, kiln_compares_plainly);
        default: return letter == 'U' && holdsOnly(object, kiln_is_plain);
    }
}

bool suits(char letter, PyObject* object) {
    switch (letter) {
        case 'a': case 'o': return true;
        case 's': return isText(object);
        case 'b': return PyBytes_CheckExact(object);
        case 'f': return PyFloat_CheckExact(object);
        case 'i': return isSmallInt(object);
        case 'n': return object == Py_None || isSmallInt(object);
        case 'y': return object == Py_None || isText(object);
        case 'x': return isText(object) || (PyTuple_CheckExact(object) && areAll(object, isText));
        case 'p': return kiln_is_plain(object);
        case 'k': return kiln_compares_plainly(object);
        case 'v': return isTextOrNumber(object);
        case 'w': return isBuiltinValue(object);
        case 'T': return PyType_Check(object);
        case 'R': return isExactClass(object) || (PyTuple_CheckExact(object) && areAll(object, isExactClass));
        default: return suitsContainer(letter, object);
    }
}

// ---- what is not called as CPython defines it: NULL says that CPython must do it, with or without an exception

PyObject* noneIf(bool done) {
    return done ? Py_NewRef(Py_None) : nullptr;
}

PyObject* findText(Arguments a, Py_ssize_t count) {
    Py_ssize_t start = 0;
    Py_ssize_t end = PY_SSIZE_T_MAX;
    if ((count > 2 && !_PyEval_SliceIndex(a[2], &start)) || (count > 3 && !_PyEval_SliceIndex(a[3], &end))) {
        return nullptr;
    }
    Py_ssize_t found = PyUnicode_Find(a[0], a[1], start, end, 1);
    return found == -2 ? nullptr : PyLong_FromSsize_t(found);
}

PyObject* startsWith(Arguments a, Py_ssize_t count) {
    if (count == 2 && isText(a[1])) {
        Py_ssize_t matches = PyUnicode_Tailmatch(a[0], a[1], 0, PY_SSIZE_T_MAX, -1);
        return matches < 0 ? nullptr : PyBool_FromLong(matches);
    }
    static PyObject* method = PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyUnicode_Type), "startswith");
    return PyObject_Vectorcall(method, a, static_cast<size_t>(count), nullptr);
}

KilnAnswer lookUp(PyObject* dict, PyObject* key, Py_hash_t& hash, KilnEntry& entry) {
    hash = kiln_plain_hash(key);
    return hash == -1 ? KILN_ASK : kiln_dict_find(dict, key, hash, &entry);
}

PyObject* getFromDict(Arguments a, Py_ssize_t count) {
    Py_hash_t hash = 0;
    KilnEntry entry = {};
    KilnAnswer answer = lookUp(a[0], a[1], hash, entry);
    return answer == KILN_ASK ? nullptr : Py_NewRef(answer == KILN_YES ? *entry.place : count > 2 ? a[2] : Py_None);
}

PyObject* popFromDict(Arguments a, Py_ssize_t count) {
    Py_hash_t hash = 0;
    KilnEntry entry = {};
    KilnAnswer answer = lookUp(a[0], a[1], hash, entry);
    if (answer == KILN_NO && count > 2) {
        return Py_NewRef(a[2]);
    }
    if (answer != KILN_YES || mayRunCode(&entry.key, 1)) {
        return nullptr;
    }
    PyObject* value = Py_NewRef(*entry.place);
    if (_PyDict_DelItem_KnownHash(a[0], a[1], hash) < 0) {
        Py_DECREF(value);
        return nullptr;
    }
    return value;
}

PyObject* setDefault(Arguments a, Py_ssize_t count) {
    Py_hash_t hash = 0;
    KilnEntry entry = {};
    KilnAnswer answer = lookUp(a[0], a[1], hash, entry);
    if (answer == KILN_YES) {
        return Py_NewRef(*entry.place);
    }
    PyObject* value = count > 2 ? a[2] : Py_None;
    bool done = answer == KILN_NO && _PyDict_SetItem_KnownHash(a[0], a[1], value, hash) == 0;
    return done ? Py_NewRef(value) : nullptr;
}

PyObject* updateDict(Arguments a, Py_ssize_t) {
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    while (PyDict_Next(a[1], &position, &key, nullptr)) {
        Py_hash_t hash = 0;
        KilnEntry entry = {};
        KilnAnswer answer = lookUp(a[0], key, hash, entry);
        if (answer == KILN_ASK || (answer == KILN_YES && mayRunCode(entry.place, 1))) {
            return nullptr;
        }
    }
    return noneIf(PyDict_Update(a[0], a[1]) == 0);
}

PyObject* addToSet(Arguments a, Py_ssize_t) {
    Py_hash_t hash = kiln_plain_hash(a[1]);
    PyObject* found = nullptr;
    KilnAnswer answer = hash == -1 ? KILN_ASK : kiln_set_find(a[0], a[1], hash, &found);
    return noneIf(answer == KILN_YES || (answer == KILN_NO && PySet_Add(a[0], a[1]) == 0));
}

// Nothing to do, done, or NULL.
PyObject* takeFromSet(Arguments a, bool mayLack) {
    Py_hash_t hash = kiln_plain_hash(a[1]);
    PyObject* found = nullptr;
    KilnAnswer answer = hash == -1 ? KILN_ASK : kiln_set_find(a[0], a[1], hash, &found);
    if (answer == KILN_NO) {
        return noneIf(mayLack);
    }
    return noneIf(answer == KILN_YES && !mayRunCode(&found, 1) && PySet_Discard(a[0], a[1]) == 1);
}

PyObject* discardFromSet(Arguments a, Py_ssize_t) {
    return takeFromSet(a, true);
}

PyObject* removeFromSet(Arguments a, Py_ssize_t) {
    return takeFromSet(a, false);
}

// The first of those that none goes before.
PyObject* extreme(Arguments a, Py_ssize_t count, int operation) {
    PyObject* best = a[0];
    for (Py_ssize_t index = 1; index < count; index++) {
        int better = PyObject_RichCompareBool(a[index], best, operation);
        if (better < 0) {
            return nullptr;
        }
        best = better != 0 ? a[index] : best;
    }
    return Py_NewRef(best);
}

// Of ints of 64 bits, which compare quickly; others are refused.
class ExtremeInt {
   public:
    explicit ExtremeInt(int operation) : isGreatest_(operation == Py_GT) {}
    bool add(PyObject* item) {
        int overflow = 1;
        int64_t number = PyLong_CheckExact(item) ? PyLong_AsLongLongAndOverflow(item, &overflow) : 0;
        if (overflow == 0 && (best_ == nullptr || (isGreatest_ ? number > bound_ : number < bound_))) {
            best_ = item;
            bound_ = number;
        }
        return overflow == 0;
    }
    PyObject* best() const { return best_; }

   private:
    bool isGreatest_;
    PyObject* best_ = nullptr;
    int64_t bound_ = 0;
};

// The first of those that none goes before, of what may be iterated over quietly.
PyObject* extremeOf(PyObject* iterable, int operation) {
    ExtremeInt extreme(operation);
    bool areInts = isSequence(iterable) && areAll(iterable, [&](PyObject* item) { return extreme.add(item); });
    if (PyAnySet_CheckExact(iterable)) {
        Py_ssize_t position = 0;
        PyObject* item = nullptr;
        Py_hash_t hash = 0;
        areInts = true;
        while (areInts && _PySet_NextEntry(iterable, &position, &item, &hash) != 0) {
            areInts = extreme.add(item);
        }
    }
    if (areInts || !holdsOnly(iterable, kiln_is_plain)) {
        return areInts ? Py_XNewRef(extreme.best()) : nullptr;
    }
    Ref<> iterator = Ref<>::steal(PyObject_GetIter(iterable));
    Ref<> best = Ref<>::steal(iterator ? PyIter_Next(iterator.get()) : nullptr);
    while (best) {
        Ref<> item = Ref<>::steal(PyIter_Next(iterator.get()));
        int better = item ? PyObject_RichCompareBool(item.get(), best.get(), operation) : 0;
        if (better < 0) {
            return nullptr;
        }
        if (!item) {
            break;
        }
        if (better != 0) {
            best = std::move(item);
        }
    }
    return PyErr_Occurred() ? nullptr : best.release();
}

PyObject* greatestOf(Arguments a, Py_ssize_t) {
    return extremeOf(a[0], Py_GT);
}

PyObject* leastOf(Arguments a, Py_ssize_t) {
    return extremeOf(a[0], Py_LT);
}

PyObject* greatest(Arguments a, Py_ssize_t count) {
    return extreme(a, count, Py_GT);
}

PyObject* least(Arguments a, Py_ssize_t count) {
    return extreme(a, count, Py_LT);
}

PyObject* represent(Arguments a, Py_ssize_t) {
    return plainText(a[0], true);
}

PyObject* makeText(Arguments a, Py_ssize_t) {
    return plainText(a[0], false);
}

PyObject* sortedList(Arguments a, Py_ssize_t) {
    Ref<> list = Ref<>::steal(PySequence_List(a[0]));
    return list && PyList_Sort(list.get()) == 0 ? list.release() : nullptr;
}

PyObject* makeBool(Arguments a, Py_ssize_t) {
    int truth = PyObject_IsTrue(a[0]);
    return truth < 0 ? nullptr : PyBool_FromLong(truth);
}

PyObject* makeDict(Arguments a, Py_ssize_t count) {
    return count == 0 ? PyDict_New() : PyDict_Copy(a[0]);
}

PyObject* makeFloat(Arguments a, Py_ssize_t) {
    return PyFloat_FromString(a[0]);
}

PyObject* makeInt(Arguments a, Py_ssize_t) {
    constexpr int kBase = 10;
    return PyUnicode_GET_LENGTH(a[0]) <= kMostDigits ? PyLong_FromUnicodeObject(a[0], kBase) : nullptr;
}

PyObject* makeFrozenSet(Arguments a, Py_ssize_t count) {
    bool same = count == 1 && Py_IS_TYPE(a[0], &PyFrozenSet_Type);
    return same ? Py_NewRef(a[0]) : PyFrozenSet_New(count == 0 ? nullptr : a[0]);
}

PyObject* makeSet(Arguments a, Py_ssize_t count) {
    return PySet_New(count == 0 ? nullptr : a[0]);
}

PyObject* makeList(Arguments a, Py_ssize_t count) {
    return count == 0 ? PyList_New(0) : PySequence_List(a[0]);
}

PyObject* makeTuple(Arguments a, Py_ssize_t count) {
    return count == 0 ? PyTuple_New(0) : PySequence_Tuple(a[0]);
}

PyObject* attributeOf(Arguments a, Py_ssize_t count) {
    PyObject* value = nullptr;
    KilnAnswer answer = kiln_quiet_attribute(a[0], a[1], &value);
    return answer == KILN_NO && count > 2 ? Py_NewRef(a[2]) : value;
}

PyObject* hasAttribute(Arguments a, Py_ssize_t) {
    PyObject* value = nullptr;
    KilnAnswer answer = kiln_quiet_attribute(a[0], a[1], &value);
    Py_XDECREF(value);
    return answer == KILN_ASK ? nullptr : PyBool_FromLong(answer);
}

// The audit hooks of a program are Python code.
PyObject* identityOf(Arguments a, Py_ssize_t) {
    return kiln_is_audited() ? nullptr : PyLong_FromVoidPtr(a[0]);
}

PyObject* isSubclass(Arguments a, Py_ssize_t) {
    auto* cls = reinterpret_cast<PyTypeObject*>(a[0]);
    auto isBase = [&](PyObject* base) { return PyType_IsSubtype(cls, reinterpret_cast<PyTypeObject*>(base)) != 0; };
    if (!PyTuple_CheckExact(a[1])) {
        return PyBool_FromLong(isBase(a[1]));
    }
    PyObject** bases = PySequence_Fast_ITEMS(a[1]);
    return PyBool_FromLong(std::any_of(bases, bases + PyTuple_GET_SIZE(a[1]), isBase));
}

PyObject* classOf(Arguments a, Py_ssize_t) {
    return Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(a[0])));
}

using OwnFunction = PyObject* (*)(Arguments, Py_ssize_t);

constexpr OwnFunction kOwn[] = {
#define KILN_BUILTIN(owner, name, arguments, result, effect) nullptr,
#define KILN_BUILTIN_OWN(owner, name, arguments, result, effect, function) function,
#include "jit/frontend/builtin_calls.def"
#undef KILN_BUILTIN
#undef KILN_BUILTIN_OWN
};

PyObject* invoke(PyObject* callee, Arguments a, Py_ssize_t count) {
    return takesPlainly(callee, count) ? callPlainly(kiln_thread(), callee, a, count)
                                       : PyObject_Vectorcall(callee, a, static_cast<size_t>(count), nullptr);
}

// `unsure`: a bit for each argument that must be looked at. NULL where CPython must do it.
PyObject* callRow(int row, uint64_t unsure, PyObject* callee, Arguments arguments, Py_ssize_t count) {
    for (; unsure != 0; unsure &= unsure - 1) {
        int index = std::countr_zero(unsure);
        if (!suits(builtinCall(row).letterFor(index), arguments[index])) {
            return nullptr;
        }
    }
    OwnFunction own = kOwn[row];
    PyObject* result = own != nullptr ? own(arguments, count) : invoke(callee, arguments, count);
    if (result == nullptr) {
        PyErr_Clear();
    }
    return result;
}

}  // namespace

// words: the row and which arguments are to be looked at, what is called, and its arguments.
int64_t callBuiltinByTable(const int64_t* w, int64_t words) {
    auto row = static_cast<int>(w[0] & ((1 << kBuiltinRowBits) - 1));
    auto unsure = static_cast<uint64_t>(w[0] >> kBuiltinRowBits);
    return reinterpret_cast<int64_t>(callRow(row, unsure, reinterpret_cast<PyObject*>(w[1]), reinterpret_cast<Arguments>(w + 2), words - 2));
}

PyObject* callWithoutPython(PyObject* callee, Arguments arguments, size_t count) {
    constexpr size_t kMostArguments = 8;
    int row = count <= kMostArguments ? builtinCallOf(callee, static_cast<int>(count)) : -1;
    bool ends = row >= 0 && (Py_REFCNT(callee) == 1 || mayRunCode(arguments, count));
    return row < 0 || ends ? nullptr : callRow(row, (uint64_t{1} << count) - 1, callee, arguments, static_cast<Py_ssize_t>(count));
}

}  // namespace kiln
