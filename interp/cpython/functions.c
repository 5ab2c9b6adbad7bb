/* Functions: how calls enter them. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_function.h>
#include <internal/pycore_pystate.h>

uint32_t kiln_code_take_version(PyCodeObject* code) {
    uint32_t version = code->co_version;
    code->co_version = 0;
    return version;
}

void kiln_code_give_version(PyCodeObject* code, uint32_t version) {
    code->co_version = version;
}

/* Behind the last field lies room for a number, which CPython neither reads nor writes. */
static uint32_t* number_of(PyFunctionObject* function) {
    _Static_assert(sizeof *function == offsetof(PyFunctionObject, func_version) + 2 * sizeof(uint32_t), "room behind func_version");
    return &function->func_version + 1;
}

void kiln_function_enter_by(PyFunctionObject* function, vectorcallfunc entry, uint32_t number) {
    PyFunction_SetVectorcall(function, entry != NULL ? entry : _PyFunction_Vectorcall);
    *number_of(function) = number;
}

uint32_t kiln_function_entry(PyFunctionObject* function) {
    return *number_of(function);
}

bool kiln_function_enters_by(PyFunctionObject* function, vectorcallfunc entry) {
    return function->vectorcall == (entry != NULL ? entry : _PyFunction_Vectorcall);
}

PyObject* kiln_function_run(PyThreadState* tstate, PyFunctionObject* function, PyObject** parameters, int count) {
    PyCodeObject* code = (PyCodeObject*)function->func_code;
    kiln_make_waiting_frames(tstate);
    _PyInterpreterFrame* frame = _PyThreadState_PushFrame(tstate, (size_t)code->co_framesize);
    if (frame == NULL) {
        for (int index = 0; index < count; index++) {
            Py_DECREF(parameters[index]);
        }
        return PyErr_NoMemory();
    }
    PyObject* locals = code->co_flags & CO_OPTIMIZED ? NULL : Py_NewRef(function->func_globals);
    _PyFrame_Initialize(frame, (PyFunctionObject*)Py_NewRef(function), locals, code, count);
    memcpy(frame->localsplus, parameters, (size_t)count * sizeof *parameters);
    return _PyEval_EvalFrame(tstate, frame, 0);
}
