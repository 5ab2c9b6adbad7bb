// Arrays that describe themselves by __cuda_array_interface__: CuPy's, PyTorch's, and kiln's own.
#pragma once

#include <Python.h>

#include "gpu/ir/type.h"

namespace kiln::gpu {

struct ArrayInterface {
    uint64_t data = 0;
    const Type* element = nullptr;
    int ndim = 0;
    Py_ssize_t shape[kMaxDimensions] = {};
    Py_ssize_t strides[kMaxDimensions] = {};  // in bytes
    bool isReadonly = false;
};

// Of "<f4" and its kin; nullptr for another text.
const Type* typeOfString(const char* text);
// Reads the attribute's dict. False, perhaps with an exception, when it is not understood. Needs the GIL.
bool readArrayInterface(PyObject* interface, ArrayInterface& out);

}  // namespace kiln::gpu
