/* Functions: how calls enter them. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_function.h>

uint32_t kiln_code_take_version(PyCodeObject* code) {
    uint32_t version = code->co_version;
    code->co_version = 0;
    return version;
}

void kiln_code_give_version(PyCodeObject* code, uint32_t version) {
    code->co_version = version;
}

void kiln_function_enter_by(PyFunctionObject* function, vectorcallfunc entry) {
    PyFunction_SetVectorcall(function, entry != NULL ? entry : _PyFunction_Vectorcall);
}

bool kiln_function_enters_by(PyFunctionObject* function, vectorcallfunc entry) {
    return function->vectorcall == entry;
}
