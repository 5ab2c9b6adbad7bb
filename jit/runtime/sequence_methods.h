// Methods of lists and tuples, and any() and all(), that look at items until one decides: no further than CPython does.
//
// For rows of builtin_calls.def. NULL: nothing was done, and CPython must do it; an exception may be set. Borrows; needs the GIL.
#pragma once

#include "jit/frontend/builtin_calls.h"

namespace kiln {

// Of a list or tuple: what is looked for, and for indexOfItem() where from and where to.
PyObject* indexOfItem(Arguments a, Py_ssize_t count);
PyObject* countItem(Arguments a, Py_ssize_t count);
// Of a list.
PyObject* removeItem(Arguments a, Py_ssize_t count);
// Of what is iterated over quietly.
PyObject* isAnyTrue(Arguments a, Py_ssize_t count);
PyObject* areAllTrue(Arguments a, Py_ssize_t count);

}  // namespace kiln
