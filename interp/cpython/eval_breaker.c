/* The evaluation breaker: set when the evaluation loop must handle something. CPython looks at it where a loop begins again, where
   a call ends and where code starts, and nowhere between: there no other thread takes over, and no signal's handler runs. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"
#include "interp/cpython/outside_request.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>

/* Of the thread that holds the GIL: its next look. */
static PyThreadState* skipping;
static bool forced;
static KilnFrame* looking;
static int looking_unit;

KilnOutsideRequest kiln_outside_request = {.magic = KILN_REQUEST_MAGIC};
static void (*serve_outside)(void);
static int serves_always;

const size_t kiln_eval_breaker_place = offsetof(PyInterpreterState, ceval.eval_breaker._value);

static _Py_atomic_int* breaker_of(PyInterpreterState* interp) {
    return &interp->ceval.eval_breaker;
}

const void* kiln_signal_word(void) {
    return &_PyRuntime.signals.is_tripped._value;
}

/* The breaker is set, so that it is looked at for certain: a look that did not come would be taken for a later one. */
void kiln_skip_pending(PyThreadState* tstate) {
    skipping = tstate;
    /* Nobody else resets it while this thread has the GIL. */
    forced = _Py_atomic_load_relaxed(breaker_of(tstate->interp)) == 0;
    _Py_atomic_store_relaxed(breaker_of(tstate->interp), 1);
}

void kiln_pending_at(KilnFrame* frame, int unit) {
    looking = _Py_atomic_load(breaker_of(PyInterpreterState_Get())) != 0 ? frame : NULL;
    looking_unit = unit;
}

/* Unless the look is certain to come anyway, or another thread may ask for the GIL meanwhile, there is nothing to be skipped: a signal
 * that arrives in the few instructions up to the look is served there. */
void kiln_skip_pending_behind_call(PyThreadState* tstate) {
    if (_Py_atomic_load_relaxed(breaker_of(tstate->interp)) != 0 || tstate->prev != NULL || tstate->next != NULL) {
        kiln_skip_pending(tstate);
    }
}

/* Whoever asks for something says so before it sets the breaker. */
static bool is_asked_for(PyInterpreterState* interp) {
    struct _ceval_runtime_state* shared = &_PyRuntime.ceval;
    struct _ceval_state* own = &interp->ceval;
    return _Py_atomic_load(&own->gil_drop_request) || _Py_atomic_load(&own->gc_scheduled) || own->pending.async_exc ||
           _Py_atomic_load(&own->pending.calls_to_do) || _Py_atomic_load(&shared->signals_pending) ||
           _Py_atomic_load(&shared->pending_mainthread.calls_to_do);
}

/* Who sets the breaker from outside and says so nowhere else must not keep it set. */
static void reset_breaker(PyInterpreterState* interp) {
    _Py_atomic_store(breaker_of(interp), 0);
    if (is_asked_for(interp)) {
        _Py_atomic_store(breaker_of(interp), 1);
    }
}

void kiln_serve_outside(void (*server)(void), int always) {
    serve_outside = server;
    serves_always = always;
    kiln_outside_request.breaker = server != NULL ? (int32_t*)kiln_eval_breaker(_PyRuntime.interpreters.main) : NULL;
}

/* The linker sends the evaluation loop here (--wrap). */
int __real__Py_HandlePending(PyThreadState* tstate);
int __wrap__Py_HandlePending(PyThreadState* tstate);

static int handle_pending(PyThreadState* tstate) {
    bool is_asked = __atomic_load_n(&kiln_outside_request.asked, __ATOMIC_ACQUIRE) != 0;
    if ((is_asked || serves_always) && serve_outside != NULL && tstate->interp == _PyRuntime.interpreters.main) {
        serve_outside();
        if (is_asked) {
            reset_breaker(tstate->interp);
        }
    }
    return __real__Py_HandlePending(tstate);
}

int kiln_handle_pending(PyThreadState* tstate) {
    return _Py_atomic_load(breaker_of(tstate->interp)) != 0 ? handle_pending(tstate) : 0;
}

int __wrap__Py_HandlePending(PyThreadState* tstate) {
    if (looking != NULL && looking == tstate->cframe->current_frame) {
        kiln_frame_set_last_unit(looking, looking_unit);
    }
    looking = NULL;
    if (skipping != tstate) {
        return handle_pending(tstate);
    }
    skipping = NULL;
    if (forced) {
        reset_breaker(tstate->interp);
    }
    return 0;
}
