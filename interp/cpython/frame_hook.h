/* The frame-evaluation hook (PEP 523). Declared apart from cpython_shim.h: only profiler/frame_window.cpp uses it.
 *
 * While a hook is in place CPython does not specialise calls, and each call of Python code nests in C: it must not stay.
 * Every function needs the GIL.
 */
#ifndef KILN_FRAME_HOOK_H
#define KILN_FRAME_HOOK_H

#include "interp/cpython/cpython_shim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Owns the frame, as _PyEval_EvalFrameDefault: it is not linked yet, and is cleared and popped at the end. */
typedef PyObject* (*KilnFrameHook)(PyThreadState* tstate, KilnFrame* frame, int throwing);

/* The hook of the thread's interpreter; NULL when frames are evaluated by CPython itself. */
KilnFrameHook kiln_frame_hook_current(PyThreadState* tstate);
/* Puts a hook in place. Only over none, or over one's own. */
void kiln_frame_hook_set(PyThreadState* tstate, KilnFrameHook hook);
/* Takes the hook away; another's that came over it stays. */
void kiln_frame_hook_remove(PyThreadState* tstate, KilnFrameHook hook);
/* What a hook does with a frame that it leaves to CPython: runs it, clears and pops it. May run any Python code. `credit`
 * is given to the C recursion budget meanwhile. New reference, or NULL with an exception. */
PyObject* kiln_frame_evaluate(PyThreadState* tstate, KilnFrame* frame, int throwing, int credit);
/* What it does with a frame whose work it did itself: clears and pops it, with the caller's frame current. May run
 * finalisers. */
void kiln_frame_discard(PyThreadState* tstate, KilnFrame* frame);

#ifdef __cplusplus
}
#endif
#endif
