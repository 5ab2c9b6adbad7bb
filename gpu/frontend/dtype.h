// The types of NumPy's dtypes.
#pragma once

#include <Python.h>

#include "gpu/ir/type.h"
#include "interp/py_ref.h"

namespace kiln::gpu {

// A scalar type, or for a structured dtype a record; nullptr, without an exception, for one that kernels do not know. Needs
// the GIL.
const Type* typeOfDtype(PyObject* dtype);
// A dtype with this record type. Null with an exception.
Ref<> dtypeOfRecord(const Type* record);
// Of the elements of an object with a dtype; nullptr, without an exception, for another object.
const Type* elementOfObject(PyObject* object);

}  // namespace kiln::gpu
