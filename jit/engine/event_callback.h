// A monitoring callback: calls C at once. A builtin function would take of the C recursion budget, and so raise a
// RecursionError of its own in a program that comes near the limit.
#pragma once

#include <Python.h>

#include "interp/py_ref.h"

namespace kiln {

// A callable object that is `function`. Empty with an exception on no memory.
Ref<> makeEventCallback(vectorcallfunc function);

}  // namespace kiln
