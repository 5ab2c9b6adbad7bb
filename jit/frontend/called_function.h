// What a call calls, as far as it is known while a region is built.
#pragma once

#include "jit/frontend/abstract_state.h"
#include "jit/frontend/build_request.h"

namespace kiln {

// A Python function that is called: this very one, or any of a code object.
struct CalledFunction {
    Callee callee;
    PyObject* defaults = nullptr;          // positional ones, if they may be taken for constant
    PyObject* keywordDefaults = nullptr;   // likewise
    std::vector<AbstractValue> loaded;     // or the positional ones, read from the function: aliases
    std::vector<AbstractValue> loadedKeywords;  // or those of the keyword-only parameters, likewise; kNull where the call gives one
    AbstractValue value;                   // kConstant, or an entry of the caller's stack

    static CalledFunction of(PyFunctionObject* function) {
        return {Callee::of(function), function->func_defaults, function->func_kwdefaults,
                {}, {}, AbstractValue::constantObject(reinterpret_cast<PyObject*>(function))};
    }
};

// A C function that runs no Python code and looks at no frame when its arguments are numbers.
bool isLeafFunction(PyObject* callee);

// False for a namespace in which looking a name up may run Python code: of a class derived from dict, or with keys that are no
// strings themselves. nullptr is none.
bool hasPlainNames(PyObject* names);

// What becomes of an inlined callee's result: see result_uses.def.
struct CallRole {
    ResultUse use = ResultUse::k_value;
    int detail = ir::kNoId;
    PyObject* text = nullptr;                  // k_operator: of the TypeError
    const AbstractValue* instance = nullptr;   // k_instance: what the caller gets
};

}  // namespace kiln
