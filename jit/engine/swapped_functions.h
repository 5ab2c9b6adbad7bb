// Functions whose calls enter their compiled code: their vectorcall is kilnVectorcall.
#pragma once

#include <Python.h>

#include <unordered_set>

namespace kiln {

// The vectorcall of functions that have compiled code.
PyObject* kilnVectorcall(PyObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names);

class SwappedFunctions {
   public:
    void swap(PyFunctionObject* function);
    void unswap(PyFunctionObject* function);
    // All functions of this code.
    void unswap(PyCodeObject* code);
    // The function dies.
    void forget(PyFunctionObject* function);

   private:
    std::unordered_set<PyFunctionObject*> functions_;
};

}  // namespace kiln
