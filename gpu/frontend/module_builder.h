// What the functions of one kernel share while they are built.
#pragma once

#include <string>
#include <vector>

#include "gpu/frontend/compile_kernel.h"
#include "gpu/frontend/value.h"

namespace kiln::gpu {

// Needs the GIL throughout.
struct ModuleBuilder {
    Module* module = nullptr;
    CompileError error;
    struct Callee {
        const void* function;   // a Python function, or the node of a nested one
        std::string arguments;  // what this form of it was built for
        uint32_t index;
        Value result;  // types only: of a function that is being built, what is known so far
        bool finished;
        bool hasResult;
        bool isAssumed = false;  // the result, of a function that is built again
        bool isAsked = false;    // by a call in itself,
        std::string told = "";   // which was told this result; empty: none was known
    };
    std::vector<Callee> callees;
    std::vector<Ref<>> kept;  // objects whose addresses identify callees
    std::vector<Ref<>> watchers;  // of linked code
    int depth = 0;
    bool hasUnknown = false;  // a call in itself whose result is not known yet: the function is built again
    bool debug = false;
    bool checksDivision = false;
    bool checksBounds = false;
    bool isLoop = false;
    ValueId scratch = kNoValue;         // of a loop: the array that was made last
    std::vector<Exception> exceptions;  // by row of Module::faults
    std::vector<Binding> bindings;      // of a loop

    // Whether a value is, or has, memory that the next iteration uses again, and is not the array that was made last.
    bool isUsedAgain(const Value& value) const;
    // That the code being built takes what a name means for constant.
    void note(PyObject* holder, PyObject* name, PyObject* value);
    // The type that a function still being built returns, as far as it is known: for recursion.
    void noteResult(uint32_t index, const Value& result);
    // An identifier of C that no function of the module has yet, made of a Python name.
    std::string uniqueName(const std::string& name, uint32_t index) const;
};

}  // namespace kiln::gpu
