#pragma once

#include <Python.h>

#include "interp/py_ref.h"

namespace kiln {

// object.name; nothing, and an exception, where there is none.
inline Ref<> attribute(PyObject* object, const char* name) {
    return Ref<>::steal(PyObject_GetAttrString(object, name));
}

}  // namespace kiln
