// The rest of a call that takes a generator's items, after an exit from the loop over them.
#pragma once

#include <Python.h>

#include "jit/ir/tables.h"

namespace kiln {

// What CPython's function returns: `first` and `second` are its state (frontend/generator_consumers.h), NULL or borrowed; `item` is the
// generator's next item, NULL when it has ended. Runs Python code; needs the GIL. A new reference, or NULL with an exception.
PyObject* finishConsumer(Consumer consumer, PyObject* first, PyObject* second, PyObject* generator, PyObject* item);

}  // namespace kiln
