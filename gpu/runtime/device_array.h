// Python objects for device memory: DeviceMemory owns it, DeviceArray sees an array in it.
#pragma once

#include <Python.h>

#include "gpu/ir/type.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// The base of numba.cuda's DeviceNDArray. The fields never change.
struct DeviceArray {
    PyObject_HEAD PyObject* owner;  // what keeps the memory alive
    uintptr_t data;
    const Type* type;
    Py_ssize_t shape[kMaxDimensions];
    Py_ssize_t strides[kMaxDimensions];  // in bytes
    const Backend* home;                 // whose memory it is
    int device;
};

// nullptr for another object. Borrowed.
const DeviceArray* asDeviceArray(PyObject* object);

// The memory of a device array's owner is used on a stream that the default one does not wait for: it is freed when what was
// launched there so far is done.
void noteStream(PyObject* owner, uintptr_t stream);

// A DLPack capsule of the array, which keeps its memory. nullptr with an exception. Needs the GIL.
PyObject* exportDlpack(const DeviceArray& array, bool onHost, int device);

// The types, made at the first call. New reference, or nullptr with an exception. Needs the GIL.
PyObject* deviceMemoryType();
PyObject* deviceArrayType();

}  // namespace kiln::gpu
