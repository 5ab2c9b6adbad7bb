// What helpers share: operands and results as words, and their table.
#pragma once

#include <Python.h>

#include <cstdint>

#include "jit/ir/tables.h"

namespace kiln {

using HelperFunction = int64_t (*)(const int64_t*, int64_t);

// Enters helpers in the table that compiled code calls them by.
class HelperSetter {
   public:
    explicit HelperSetter(const void** table) : table_(table) {}
    void operator()(Helper helper, HelperFunction code) const {
        table_[static_cast<int>(helper)] = reinterpret_cast<const void*>(code);
    }

   private:
    const void** table_;
};

// CPython must do it: nothing happened.
inline constexpr int64_t kDeclined = -1;

inline PyObject* object(int64_t word) {
    return reinterpret_cast<PyObject*>(word);
}

inline int64_t word(PyObject* result) {
    return reinterpret_cast<int64_t>(result);
}

// What CPython made, or 0 with its exception gone.
inline int64_t madeBy(PyObject* result) {
    if (result == nullptr) {
        PyErr_Clear();
    }
    return word(result);
}

}  // namespace kiln
