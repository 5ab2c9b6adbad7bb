// Callables seen at call sites, remembered without keeping the program's own functions alive.
#pragma once

#include <Python.h>

#include <unordered_set>
#include <vector>

#include "interp/py_ref.h"

namespace kiln {

// One per process; needs the GIL. Functions are borrowed: the function watcher tells when one dies. Builtin functions and
// static classes are kept, they live as long as their modules; other callables are not remembered.
class ObservedCallees {
   public:
    static ObservedCallees& instance();
    // False for a callable that can't be remembered.
    bool remember(PyObject* callee);
    // The code of functions, borrowed: codeDestroyed() must be told when it dies.
    void rememberCode(PyCodeObject* code) { callees_.insert(reinterpret_cast<PyObject*>(code)); }
    void codeDestroyed(PyCodeObject* code) { callees_.erase(reinterpret_cast<PyObject*>(code)); }
    // A tuple of defaults, kept if that can't be noticed: its items are plain constants. False if not.
    bool rememberDefaults(PyObject* defaults);
    // True when `callee`, remembered once, may still be used. A new function at a dead one's address counts as alive.
    bool alive(PyObject* callee) const { return callees_.contains(callee); }
    void functionDestroyed(PyFunctionObject* function) { callees_.erase(reinterpret_cast<PyObject*>(function)); }
    // Gives everything up. May run finalisers.
    void clear();

   private:
    std::unordered_set<PyObject*> callees_;
    std::vector<Ref<>> kept_;
};

}  // namespace kiln
