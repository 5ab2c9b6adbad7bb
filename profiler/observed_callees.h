// Functions and code objects seen at call sites, remembered without keeping them alive.
#pragma once

#include <Python.h>

#include <unordered_set>

#include "interp/support/address_marks.h"

namespace kiln {

// One per process; needs the GIL. All are borrowed: functionDestroyed() and codeDestroyed() must be told when one dies.
class ObservedCallees {
   public:
    static ObservedCallees& instance();
    void remember(PyFunctionObject* function) { add(function); }
    void rememberCode(PyCodeObject* code) { add(code); }
    // True when what was remembered once still exists. A new function at a dead one's address counts if it is remembered.
    bool alive(const void* callee) const { return callees_.contains(callee); }
    void functionDestroyed(PyFunctionObject* function) { remove(function); }
    void codeDestroyed(PyCodeObject* code) { remove(code); }

   private:
    void add(const void* callee) {
        if (callees_.insert(callee).second) {
            marks_.mark(callee);
        }
    }
    void remove(const void* callee) {
        if (marks_.mayHave(callee) && callees_.erase(callee) != 0) {
            marks_.unmark(callee);
        }
    }

    std::unordered_set<const void*> callees_;
    AddressMarks marks_;  // most functions that die, lambdas and closures, were not remembered
};

}  // namespace kiln
