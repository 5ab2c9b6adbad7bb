/* The frame-evaluation hook: set, removed, and the two ways to end a frame that it was given. */
#define Py_BUILD_CORE
#include "interp/cpython/frame_hook.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>

/* The build has renamed CPython's own function (scripts/cmake/FindPythonInterpreter.cmake): extension modules find this one. */
extern void kiln_plain__PyInterpreterState_SetEvalFrameFunc(PyInterpreterState* interp, _PyFrameEvalFunction hook);

__attribute__((visibility("default"))) void _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState* interp, _PyFrameEvalFunction hook) {
    kiln_plain__PyInterpreterState_SetEvalFrameFunc(interp, hook);
    kiln_others_changed();
}

KilnFrameHook kiln_frame_hook_current(PyThreadState* tstate) {
    return tstate->interp->eval_frame;
}

const size_t kiln_frame_hook_place = offsetof(PyInterpreterState, eval_frame);

void kiln_frame_hook_set(PyThreadState* tstate, KilnFrameHook hook) {
    kiln_plain__PyInterpreterState_SetEvalFrameFunc(tstate->interp, hook);
}

void kiln_frame_hook_remove(PyThreadState* tstate, KilnFrameHook hook) {
    if (tstate->interp->eval_frame == hook) {
        kiln_plain__PyInterpreterState_SetEvalFrameFunc(tstate->interp, _PyEval_EvalFrameDefault);
    }
}

PyObject* kiln_frame_evaluate(PyThreadState* tstate, KilnFrame* frame, int throwing, int credit) {
    tstate->c_recursion_remaining += credit;
    PyObject* result = _PyEval_EvalFrameDefault(tstate, frame, throwing);
    tstate->c_recursion_remaining -= credit;
    return result;
}

void kiln_frame_discard(PyThreadState* tstate, KilnFrame* frame) {
    frame->previous = tstate->cframe->current_frame;
    kiln_frame_pop(tstate, frame);
}
