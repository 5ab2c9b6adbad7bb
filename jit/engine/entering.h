// How arguments reach compiled code: by position and by default, with references that the callee takes.
#pragma once

#include <Python.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/engine/call_binding.h"
#include "jit/engine/code_record.h"
#include "jit/engine/entry_cell.h"

namespace kiln {

// Arguments by position only, and defaults for the rest.
inline bool bindsByPosition(const EntryCell& cell, const PyFunctionObject* function, size_t given, PyObject* names) {
    if (cell.code != function->func_code || names != nullptr) {
        return false;
    }
    auto missing = cell.parameters - static_cast<Py_ssize_t>(given);
    return missing == 0 || (missing > 0 && function->func_defaults != nullptr && PyTuple_GET_SIZE(function->func_defaults) >= missing);
}

inline bool fitsCell(const EntryCell& cell, const PyFunctionObject* function, size_t given, PyObject* names) {
    return cell.entry != nullptr && bindsByPosition(cell, function, given, names);
}

// For parameters that no argument is given for.
inline void takeDefaults(const EntryCell& cell, const PyFunctionObject* function, size_t given, PyObject** parameters) {
    for (auto index = static_cast<Py_ssize_t>(given); index < cell.parameters; index++) {
        PyObject* defaults = function->func_defaults;
        parameters[index] = Py_NewRef(PyTuple_GET_ITEM(defaults, PyTuple_GET_SIZE(defaults) - cell.parameters + index));
    }
}

// References for the callee: the caller's own where it gives its arguments away, and its array has None instead.
inline void takeParameters(const EntryCell& cell, const PyFunctionObject* function, PyObject** arguments, size_t given, bool gives, PyObject** parameters) {
    for (size_t index = 0; index < given; index++) {
        parameters[index] = gives ? std::exchange(arguments[index], Py_None) : Py_NewRef(arguments[index]);
    }
    takeDefaults(cell, function, given, parameters);
}

// Compiled code leaves the references of numbers.
inline void dropNumbers(uint64_t numbers, PyObject** parameters) {
    for (; numbers != 0; numbers &= numbers - 1) {
        Py_DECREF(parameters[std::countr_zero(numbers)]);
    }
}

// The first code for functions with these namespaces that enter(entry, numbers) can enter; false when there is none. While code runs others
// may come and go.
template <typename Enter>
bool enterFirst(const Root& root, const PyFunctionObject* function, const Enter& enter) {
    for (size_t index = 0; index < root.natives.size(); index++) {
        const NativeFunction& native = *root.natives[index];
        bool isFor = native.boxedEntry != nullptr && native.globals == function->func_globals && native.builtins == function->func_builtins;
        if (isFor && enter(reinterpret_cast<BoxedEntry>(native.boxedEntry), native.numbers)) {
            return true;
        }
    }
    return false;
}

// For functions that are entered in other ways.
inline const EntryCell noCell;

// C code of somebody else's was put before the function.
inline bool isEnteredByOthers(PyFunctionObject* function) {
    return !isEnteredByCell(function) && !kiln_function_enters_by(function, nullptr);
}

}  // namespace kiln
