#include "jit/runtime/set_methods.h"

#include <opcode.h>

#include <utility>

#include "jit/runtime/quiet_iterables.h"
#include "jit/runtime/release_effects.h"

namespace kiln {
namespace {

KilnAnswer findInSet(PyObject* set, PyObject* item, Py_hash_t hash) {
    PyObject* found = nullptr;
    return kiln_set_find(set, item, hash, &found);
}

// A look-up compares with members of the same hash only: of no item one of these would be asked by Python code.
bool findsPlainly(PyObject* set, PyObject* items) {
    return visitHashed(items, [&](PyObject* item, Py_hash_t hash) { return findInSet(set, item, hash) != KILN_ASK; });
}

// Whether the set has any item, or lacks any: of the answers that go on, KILN_ASK and the other one end it.
KilnAnswer areFound(PyObject* set, PyObject* items, KilnAnswer goesOn) {
    KilnAnswer last = goesOn;
    bool toTheEnd = visitHashed(items, [&](PyObject* item, Py_hash_t hash) {
        last = findInSet(set, item, hash);
        return last == goesOn;
    });
    return toTheEnd || last != goesOn ? last : KILN_ASK;
}

PyObject* boolOf(KilnAnswer answer) {
    return answer == KILN_ASK ? nullptr : PyBool_FromLong(answer == KILN_YES);
}

// By the method of the set's own class.
PyObject* callMethod(const char* name, Arguments a) {
    Ref<> text = Ref<>::steal(PyUnicode_FromString(name));
    return text ? PyObject_CallMethodOneArg(a[0], text.get(), a[1]) : nullptr;
}

}  // namespace

// Which members CPython looks up, and where, is known. Those that it adds to the result are compared with one another, too.
PyObject* combineSets(int operation, PyObject* a, PyObject* b) {
    PyNumberMethods* methods = Py_TYPE(a)->tp_as_number;
    auto isPlain = [](PyObject* set) { return kiln_set_holds_only(set, kiln_compares_plainly); };
    auto addsPlainly = [&](PyObject* added, PyObject* to) { return isPlain(added) && (isPlain(to) || findsPlainly(to, added)); };
    switch (operation) {
        case NB_AND: {
            if (a == b) {
                return methods->nb_and(a, b);
            }
            bool swaps = PySet_GET_SIZE(b) > PySet_GET_SIZE(a);
            return kiln_set_select(swaps ? a : b, swaps ? b : a, true, Py_TYPE(a));
        }
        case NB_OR: return addsPlainly(b, a) ? methods->nb_or(a, b) : nullptr;
        case NB_XOR: return addsPlainly(a, b) ? methods->nb_xor(a, b) : nullptr;
        case NB_SUBTRACT: {
            // From a copy of a set that is much larger the other one's members are taken away.
            constexpr Py_ssize_t kMuchLarger = 4;
            if (PySet_GET_SIZE(a) / kMuchLarger > PySet_GET_SIZE(b)) {
                return findsPlainly(a, b) ? methods->nb_subtract(a, b) : nullptr;
            }
            return kiln_set_select(a, b, false, Py_TYPE(a));
        }
        default: return nullptr;
    }
}

KilnAnswer compareSets(int operation, PyObject* a, PyObject* b) {
    Py_ssize_t sizeA = PySet_GET_SIZE(a);
    Py_ssize_t sizeB = PySet_GET_SIZE(b);
    switch (operation) {
        case Py_LT: return sizeA < sizeB ? kiln_set_is_subset(a, b) : KILN_NO;
        case Py_LE: return kiln_set_is_subset(a, b);
        case Py_GT: return sizeA > sizeB ? kiln_set_is_subset(b, a) : KILN_NO;
        case Py_GE: return kiln_set_is_subset(b, a);
        default: break;
    }
    KilnAnswer same = sizeA == sizeB ? kiln_set_is_subset(a, b) : KILN_NO;
    bool holds = (same == KILN_YES) == (operation == Py_EQ);
    return same == KILN_ASK ? KILN_ASK : holds ? KILN_YES : KILN_NO;
}

PyObject* updateSet(Arguments a, Py_ssize_t) {
    return findsPlainly(a[0], a[1]) && _PySet_Update(a[0], a[1]) == 0 ? Py_NewRef(Py_None) : nullptr;
}

// What the set gives up may be the last reference.
PyObject* takeItemsFromSet(Arguments a, Py_ssize_t) {
    bool quiet = visitHashed(a[1], [&](PyObject* item, Py_hash_t hash) {
        PyObject* found = nullptr;
        KilnAnswer answer = kiln_set_find(a[0], item, hash, &found);
        return answer == KILN_NO || (answer == KILN_YES && !mayRunCode(&found, 1));
    });
    return quiet ? callMethod("difference_update", a) : nullptr;
}

PyObject* differenceOfSet(Arguments a, Py_ssize_t) {
    if (PyAnySet_CheckExact(a[1])) {
        return combineSets(NB_SUBTRACT, a[0], a[1]);
    }
    bool plain = holdsOnly(a[0], kiln_compares_plainly) && holdsOnly(a[1], kiln_compares_plainly);
    return plain ? callMethod("difference", a) : nullptr;
}

PyObject* intersectionOfSet(Arguments a, Py_ssize_t) {
    if (PyAnySet_CheckExact(a[1])) {
        return combineSets(NB_AND, a[0], a[1]);
    }
    return holdsOnly(a[1], kiln_compares_plainly) && findsPlainly(a[0], a[1]) ? callMethod("intersection", a) : nullptr;
}

// The members of the smaller one are looked for in the other.
PyObject* isDisjoint(Arguments a, Py_ssize_t) {
    bool swaps = PyAnySet_CheckExact(a[1]) && PySet_GET_SIZE(a[1]) > PySet_GET_SIZE(a[0]);
    KilnAnswer found = areFound(a[swaps ? 1 : 0], a[swaps ? 0 : 1], KILN_NO);
    return found == KILN_ASK ? nullptr : PyBool_FromLong(found == KILN_NO);
}

PyObject* isSubset(Arguments a, Py_ssize_t) {
    if (PyAnySet_CheckExact(a[1])) {
        return boolOf(kiln_set_is_subset(a[0], a[1]));
    }
    return holdsOnly(a[1], kiln_compares_plainly) && findsPlainly(a[0], a[1]) ? callMethod("issubset", a) : nullptr;
}

PyObject* isSuperset(Arguments a, Py_ssize_t) {
    return boolOf(PyAnySet_CheckExact(a[1]) ? kiln_set_is_subset(a[1], a[0]) : areFound(a[0], a[1], KILN_YES));
}

}  // namespace kiln
