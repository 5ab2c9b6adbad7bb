// What leaf helpers over built-in values share: operands and results as words.
#pragma once

#include <Python.h>

#include <cstdint>

namespace kiln {

// CPython must do it: nothing happened.
inline constexpr int64_t kDeclined = -1;

inline PyObject* object(int64_t word) {
    return reinterpret_cast<PyObject*>(word);
}

// What CPython made, or 0 with its exception gone.
inline int64_t madeBy(PyObject* result) {
    if (result == nullptr) {
        PyErr_Clear();
    }
    return reinterpret_cast<int64_t>(result);
}

}  // namespace kiln
