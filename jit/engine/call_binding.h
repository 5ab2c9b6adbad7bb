// A call's arguments in the order of the function's parameters, as the interpreter would bind them.
#pragma once

#include <Python.h>

#include "interp/py_ref.h"

namespace kiln {

// Holds references to what it makes; everything else is borrowed from the call and the function. Needs the GIL.
class CallBinding {
   public:
    // False when the interpreter must make the call: because it raises, or because it is too unusual. Runs Python code only
    // where keyword defaults are looked up in a dict with keys of the program's own classes.
    bool bind(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names);
    // One for each parameter; *args and **kwargs are objects made for the call.
    PyObject* const* arguments() const { return bound_; }

   private:
    static constexpr int kMostParameters = 24;
    bool bindKeywords(PyCodeObject* code, PyObject* const* values, PyObject* names);
    bool bindDefaults(PyFunctionObject* function);

    PyObject* const* bound_ = nullptr;
    PyObject* slots_[kMostParameters];
    Ref<> rest_;
    Ref<> named_;
};

}  // namespace kiln
