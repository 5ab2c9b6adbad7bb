/* What the sampler and the report need of CPython's internals. Declared apart from cpython_shim.h: only profiler/ uses
 * it, and parts of it run without the GIL. */
#ifndef KILN_CPYTHON_SAMPLING_H
#define KILN_CPYTHON_SAMPLING_H

#include "interp/cpython/cpython_shim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Asks the Python thread of the main interpreter that next checks the evaluation breaker to run `callback`, GIL held.
 * Works without the GIL, from any thread but not from a signal handler. 0, or -1 when the queue is full. */
int kiln_request_call(int (*callback)(void*), void* data);

/* The thread state that holds the main interpreter's GIL or held it last. Works without the GIL: the result may be
 * dead, so it is only to be compared, or read by means that survive a bad address. */
PyThreadState* kiln_gil_holder(void);

/* Whether a thread holds it now. Works without the GIL. */
bool kiln_gil_is_held(void);

/* Fills `threads` with threads of the main interpreter that are not among `known`; returns how many. Does not wait: none while threads
 * come or go. Works without the GIL: as kiln_gil_holder(), they may be dead. */
size_t kiln_other_threads(PyThreadState** threads, size_t room, PyThreadState* const* known, size_t known_count);

/* The state of the main thread; NULL when it has none any more. Needs the GIL. */
PyThreadState* kiln_main_thread(void);

/* The runtime's static state, in which the main interpreter and the state of its first thread lie. */
void kiln_runtime_memory(const void** from, size_t* size);

/* The current frame of a thread of the main interpreter; NULL when the thread has ended or runs no Python. Needs the
 * GIL. */
KilnFrame* kiln_thread_frame(PyThreadState* maybe_dead);

/* What a stack is made of. */
typedef struct {
    KilnFrame* previous;
    PyCodeObject* code;
    int unit;      /* kiln_frame_last_unit() */
    bool is_entry; /* the shim between native code and the evaluation loop that it started; it has no code */
} KilnFrameView;
KilnFrameView kiln_frame_view(KilnFrame* frame);

/* Where a frame's `prev_instr` points inside its code, as a code unit; negative before the first instruction. */
int kiln_code_unit_at(PyCodeObject* code, const void* prev_instr);

/* Whether the instruction at `unit` is a call that runs no frame of its own in the same evaluation loop: one of a C function,
 * or of anything unspecialised. Reads the code object only. */
bool kiln_unit_calls_c(PyCodeObject* code, int unit);

#ifdef __cplusplus
}
#endif
#endif
