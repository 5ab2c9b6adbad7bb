#include "jit/engine/swapped_functions.h"

#include "interp/cpython/cpython_shim.h"

namespace kiln {

void SwappedFunctions::swap(PyFunctionObject* function) {
    kiln_function_enter_by(function, kilnVectorcall);
    functions_.insert(function);
}

void SwappedFunctions::unswap(PyFunctionObject* function) {
    kiln_function_enter_by(function, nullptr);
    functions_.erase(function);
}

void SwappedFunctions::unswap(PyCodeObject* code) {
    std::erase_if(functions_, [&](PyFunctionObject* function) {
        bool affected = function->func_code == reinterpret_cast<PyObject*>(code);
        if (affected) {
            kiln_function_enter_by(function, nullptr);
        }
        return affected;
    });
}

void SwappedFunctions::forget(PyFunctionObject* function) {
    if (kiln_function_enters_by(function, kilnVectorcall)) {
        functions_.erase(function);
    }
}

}  // namespace kiln
