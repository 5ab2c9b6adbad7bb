// Functions and code objects seen at call sites, remembered without keeping them alive.
#pragma once

#include <Python.h>

#include <unordered_set>

namespace kiln {

// One per process; needs the GIL. All are borrowed: functionDestroyed() and codeDestroyed() must be told when one dies.
class ObservedCallees {
   public:
    static ObservedCallees& instance();
    void remember(PyFunctionObject* function) { callees_.insert(function); }
    void rememberCode(PyCodeObject* code) { callees_.insert(code); }
    // True when what was remembered once still exists. A new function at a dead one's address counts if it is remembered.
    bool alive(const void* callee) const { return callees_.contains(callee); }
    void functionDestroyed(PyFunctionObject* function) { callees_.erase(function); }
    void codeDestroyed(PyCodeObject* code) { callees_.erase(code); }

   private:
    std::unordered_set<const void*> callees_;
};

}  // namespace kiln
