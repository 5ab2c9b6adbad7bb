/* Functions: how calls enter them. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_function.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>

uint32_t kiln_code_take_version(PyCodeObject* code) {
    uint32_t version = code->co_version;
    code->co_version = 0;
    return version;
}

void kiln_code_give_version(PyCodeObject* code, uint32_t version) {
    code->co_version = version;
}

_Static_assert(sizeof(PyFunctionObject) == offsetof(PyFunctionObject, func_version) + 2 * sizeof(uint32_t), "room for kiln_function_number()");

void kiln_function_enter_by(PyFunctionObject* function, vectorcallfunc entry, uint32_t number) {
    PyFunction_SetVectorcall(function, entry != NULL ? entry : _PyFunction_Vectorcall);
    *kiln_function_number(function) = number;
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

bool kiln_is_len(const PyThreadState* tstate, const PyObject* callable) {
    return callable == tstate->interp->callable_cache.len;
}
