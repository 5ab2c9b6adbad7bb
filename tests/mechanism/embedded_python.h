// Python code and its objects in the mechanism tests.
#pragma once

#include <Python.h>

#include <memory>
#include <string>

namespace kiln::mechanism {

struct Decref {
    void operator()(PyObject* object) const { Py_XDECREF(object); }
};
// An owned reference, or null.
using Ref = std::unique_ptr<PyObject, Decref>;

// Runs a module's source as the file "mechanism.py". Returns its names; a Python exception fails the test and gives
// null.
Ref runModule(const char* source);

// Runs the source with names that the caller made; false, with the test failed, on an exception.
bool runIn(PyObject* names, const char* source);

// The value of a name, borrowed; null when there is none.
PyObject* lookUp(const Ref& names, const char* name);

// The value of an integer name; -1 with the test failed when it is not one.
long long intNamed(const Ref& names, const char* name);

// The code object of a Python function bound to a name, borrowed.
PyCodeObject* codeNamed(const Ref& names, const char* name);

// The definition of a C function that takes its arguments as an array.
inline PyMethodDef defineFastCall(const char* name, _PyCFunctionFast function) {
    return {name, _PyCFunction_CAST(function), METH_FASTCALL, nullptr};
}

// A callable over a C function; `definition` must outlive it.
Ref makeCallable(PyMethodDef* definition);

// Calls a name without arguments. New reference; null with the test failed on an exception.
Ref callNamed(const Ref& names, const char* name);

// Index of the code unit of the `nth` instruction (from 0) with this name, as dis shows it; fails the test when absent.
int unitOf(PyObject* code, const char* instruction, int nth = 0);

// Base names of the instructions as they are now in memory, specialised and instrumented ones included,
// blank-separated.
std::string instructionsNow(PyObject* code);

}  // namespace kiln::mechanism
