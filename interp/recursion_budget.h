// What running a Python function costs of CPython's C recursion budget.
#pragma once

#include <Python.h>

namespace kiln {

// Each run of the evaluation loop takes so much. A Python function that the interpreter's CALL enters takes nothing: it
// does not nest in C. Compiled code gives back what it takes where CPython would not have nested.
inline constexpr int kEvaluationCost = 2;

// Of a class whose __init__ is a Python function: the call itself counts, too.
inline constexpr int kClassCallCost = kEvaluationCost + 1;

// What a call by PyObject_Vectorcall takes of the budget, and the interpreter's CALL does not: it enters Python functions without
// nesting in C, and, once specialised, len() and C functions of the fast conventions without counting.
int uncountedNesting(PyObject* callable);

}  // namespace kiln
