// A call's arguments in the order of the function's parameters, as the interpreter would bind them.
#pragma once

#include <Python.h>

#include <cstddef>

namespace kiln {

// Calls with more are the interpreter's.
inline constexpr int kMostParameters = 24;

// Holds a reference to each parameter until somebody takes them. Needs the GIL.
class CallBinding {
   public:
    CallBinding() = default;
    CallBinding(const CallBinding&) = delete;
    CallBinding& operator=(const CallBinding&) = delete;
    ~CallBinding();

    // False when the interpreter must make the call: because it raises, or because it is too unusual. `gives`: the caller has no
    // more use for its references to the arguments; the array has None in their stead afterwards. Runs Python code only where
    // keyword defaults are looked up in a dict with keys of the program's own classes.
    bool bind(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names, bool gives);
    // One for each parameter; *args and **kwargs are objects made for the call.
    PyObject** parameters() { return slots_; }
    // The references are somebody else's now.
    void taken() { count_ = 0; }

   private:
    bool collectOthers(PyCodeObject* code, PyObject* const* arguments, size_t given);
    bool bindKeywords(PyCodeObject* code, PyObject* const* values, PyObject* names);
    bool bindDefaults(PyFunctionObject* function);
    bool bindUnusual(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names);

    int count_ = 0;
    PyObject* slots_[kMostParameters];
    PyObject* named_ = nullptr;  // the dict of **kwargs, which lies in its slot
};

}  // namespace kiln
