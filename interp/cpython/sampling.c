/* Pending calls, the end of the interpreter, and the holder of the GIL. */
#define Py_BUILD_CORE
#include "interp/cpython/sampling.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_code.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>

int kiln_at_interpreter_end(void (*callback)(void*), void* data) {
    return _Py_AtExit(PyInterpreterState_Get(), callback, data);
}

int kiln_request_call(int (*callback)(void*), void* data) {
    /* Not Py_AddPendingCall(): its calls run in the main thread only, which may wait for another for seconds. */
    return _PyEval_AddPendingCall(_PyRuntime.interpreters.main, callback, data, 0);
}

PyThreadState* kiln_gil_holder(void) {
    struct _gil_runtime_state* gil = _PyRuntime.interpreters.main->ceval.gil;
    return gil == NULL ? NULL : (PyThreadState*)_Py_atomic_load_relaxed(&gil->last_holder);
}

int kiln_code_unit_at(PyCodeObject* code, const void* prev_instr) {
    return (int)((const _Py_CODEUNIT*)prev_instr - _PyCode_CODE(code));
}
