/* Offsets and small facts of CPython's structures. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_list.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_range.h>
#include <stddef.h>

static const KilnLayout layout = {
#define KILN_LAYOUT(name, type, field) .name = offsetof(type, field),
#include "interp/cpython/layout.def"
#undef KILN_LAYOUT
};

const KilnLayout* kiln_layout(void) {
    return &layout;
}

void* kiln_eval_breaker(PyInterpreterState* interp) {
    return &interp->ceval.eval_breaker._value;
}

bool kiln_only_gil_request(PyThreadState* tstate) {
    struct _ceval_state* ceval = &tstate->interp->ceval;
    bool others = _Py_atomic_load_relaxed(&_PyRuntime.ceval.signals_pending) ||
                  _Py_atomic_load_relaxed(&ceval->gc_scheduled) ||
                  _Py_atomic_load_relaxed(&ceval->pending.calls_to_do) || ceval->pending.async_exc;
    return !others && _Py_atomic_load_relaxed(&ceval->gil_drop_request);
}

bool kiln_is_main_interpreter(PyThreadState* tstate) {
    return _Py_IsMainInterpreter(tstate->interp);
}

int kiln_code_unit_count(PyCodeObject* code) {
    return (int)Py_SIZE(code);
}
