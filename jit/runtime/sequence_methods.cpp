#include "jit/runtime/sequence_methods.h"

#include <algorithm>

#include "jit/runtime/quiet_iterables.h"
#include "jit/runtime/release_effects.h"

namespace kiln {
namespace {

// The place of the first equal item from `start` on; -1 without one, and where Python code would have to say whether one is equal.
Py_ssize_t placeOf(PyObject* sequence, PyObject* wanted, Py_ssize_t start, Py_ssize_t stop) {
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    for (Py_ssize_t place = start; place < std::min(stop, PySequence_Fast_GET_SIZE(sequence)); place++) {
        KilnAnswer same = kiln_plain_equal(items[place], wanted);
        if (same != KILN_NO) {
            return same == KILN_YES ? place : -1;
        }
    }
    return -1;
}

// Whether any item's truth is `ends`, or for all that none's is. NULL where Python code would have to say.
PyObject* test(PyObject* iterable, bool ends) {
    bool isPlain = true;
    bool met = false;
    auto goesOn = [&](PyObject* item) {
        isPlain = kiln_is_plain(item);
        met = isPlain && (PyObject_IsTrue(item) == 1) == ends;
        return isPlain && !met;
    };
    PyObject** items = isSequence(iterable) ? PySequence_Fast_ITEMS(iterable) : nullptr;
    bool toTheEnd = items != nullptr ? std::all_of(items, items + PySequence_Fast_GET_SIZE(iterable), goesOn) : visitItems(iterable, goesOn);
    return isPlain && (toTheEnd || met) ? PyBool_FromLong(met == ends) : nullptr;
}

}  // namespace

// Where it is not found CPython says so.
PyObject* indexOfItem(Arguments a, Py_ssize_t count) {
    Py_ssize_t start = 0;
    Py_ssize_t stop = PY_SSIZE_T_MAX;
    if ((count > 2 && _PyEval_SliceIndex(a[2], &start) == 0) || (count > 3 && _PyEval_SliceIndex(a[3], &stop) == 0)) {
        return nullptr;
    }
    Py_ssize_t size = PySequence_Fast_GET_SIZE(a[0]);
    auto fromStart = [&](Py_ssize_t place) { return place < 0 ? std::max<Py_ssize_t>(place + size, 0) : place; };
    Py_ssize_t place = placeOf(a[0], a[1], fromStart(start), fromStart(stop));
    return place >= 0 ? PyLong_FromSsize_t(place) : nullptr;
}

PyObject* countItem(Arguments a, Py_ssize_t) {
    PyObject** items = PySequence_Fast_ITEMS(a[0]);
    Py_ssize_t found = 0;
    for (Py_ssize_t place = 0; place < PySequence_Fast_GET_SIZE(a[0]); place++) {
        KilnAnswer same = kiln_plain_equal(items[place], a[1]);
        if (same == KILN_ASK) {
            return nullptr;
        }
        found += same == KILN_YES ? 1 : 0;
    }
    return PyLong_FromSsize_t(found);
}

PyObject* removeItem(Arguments a, Py_ssize_t) {
    Py_ssize_t place = placeOf(a[0], a[1], 0, PY_SSIZE_T_MAX);
    bool quiet = place >= 0 && !mayRunCode(PySequence_Fast_ITEMS(a[0]) + place, 1);
    return quiet && PyList_SetSlice(a[0], place, place + 1, nullptr) == 0 ? Py_NewRef(Py_None) : nullptr;
}

PyObject* isAnyTrue(Arguments a, Py_ssize_t) {
    return test(a[0], true);
}

PyObject* areAllTrue(Arguments a, Py_ssize_t) {
    return test(a[0], false);
}

}  // namespace kiln
