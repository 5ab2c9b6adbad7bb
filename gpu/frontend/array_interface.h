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
const Type* typeOfString(const std::string& text);
// The buffer of an object, and the type of its elements: nullptr where kernels do not know it. Of an array of dates or durations,
// which has no format, that of its bytes. False, without an exception, where there is none. Needs the GIL.
bool openArray(PyObject* object, Py_buffer& buffer, const Type*& element);
// Whether it is a scalar of NumPy's that is a date or a duration: its buffer is an array of bytes.
bool isTimeScalar(PyObject* object);
// Reads the attribute's dict. Where it has no name for the elements' type, the object's dtype says it. False, perhaps with an exception, when
// it is not understood. Needs the GIL.
bool readArrayInterface(PyObject* interface, PyObject* object, ArrayInterface& out);

}  // namespace kiln::gpu
