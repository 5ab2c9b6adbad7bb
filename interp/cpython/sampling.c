/* Pending calls, the end of the interpreter, and the holder of the GIL. */
#define Py_BUILD_CORE
#include "interp/cpython/sampling.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_opcode.h>
#include <internal/pycore_runtime.h>
#include <opcode.h>

int kiln_request_call(int (*callback)(void*), void* data) {
    /* Not Py_AddPendingCall(): its calls run in the main thread only, which may wait for another for seconds. */
    return _PyEval_AddPendingCall(_PyRuntime.interpreters.main, callback, data, 0);
}

PyThreadState* kiln_gil_holder(void) {
    struct _gil_runtime_state* gil = _PyRuntime.interpreters.main->ceval.gil;
    return gil == NULL ? NULL : (PyThreadState*)_Py_atomic_load_relaxed(&gil->last_holder);
}

bool kiln_gil_is_held(void) {
    struct _gil_runtime_state* gil = _PyRuntime.interpreters.main->ceval.gil;
    return gil != NULL && _Py_atomic_load_relaxed(&gil->locked) > 0;
}

static bool is_among(PyThreadState* thread, PyThreadState* const* known, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (known[i] == thread) {
            return true;
        }
    }
    return false;
}

size_t kiln_other_threads(PyThreadState** threads, size_t room, PyThreadState* const* known, size_t known_count) {
    size_t count = 0;
    if (!PyThread_acquire_lock(_PyRuntime.interpreters.mutex, NOWAIT_LOCK)) {
        return 0;
    }
    for (PyThreadState* t = _PyRuntime.interpreters.main->threads.head; t != NULL && count < room; t = t->next) {
        if (!is_among(t, known, known_count)) {
            threads[count++] = t;
        }
    }
    PyThread_release_lock(_PyRuntime.interpreters.mutex);
    return count;
}

PyThreadState* kiln_main_thread(void) {
    PyThreadState* main = NULL;
    PyThread_acquire_lock(_PyRuntime.interpreters.mutex, WAIT_LOCK);
    for (PyThreadState* t = _PyRuntime.interpreters.main->threads.head; t != NULL; t = t->next) {
        main = t->thread_id == _PyRuntime.main_thread ? t : main;
    }
    PyThread_release_lock(_PyRuntime.interpreters.mutex);
    return main;
}

void kiln_runtime_memory(const void** from, size_t* size) {
    *from = &_PyRuntime;
    *size = sizeof _PyRuntime;
}

KilnFrame* kiln_thread_frame(PyThreadState* maybe_dead) {
    KilnFrame* frame = NULL;
    /* Threads come and go without the GIL, but not without this lock. */
    PyThread_acquire_lock(_PyRuntime.interpreters.mutex, WAIT_LOCK);
    for (PyThreadState* t = _PyRuntime.interpreters.main->threads.head; t != NULL; t = t->next) {
        if (t == maybe_dead) {
            frame = t->cframe->current_frame;
            break;
        }
    }
    PyThread_release_lock(_PyRuntime.interpreters.mutex);
    return frame;
}

KilnFrameView kiln_frame_view(KilnFrame* frame) {
    if (frame->owner == FRAME_OWNED_BY_CSTACK) {
        return (KilnFrameView){.previous = frame->previous, .unit = -1, .is_entry = true};
    }
    return (KilnFrameView){.previous = frame->previous, .code = frame->f_code, .unit = _PyInterpreterFrame_LASTI(frame)};
}

int kiln_code_unit_at(PyCodeObject* code, const void* prev_instr) {
    return (int)((const _Py_CODEUNIT*)prev_instr - _PyCode_CODE(code));
}

bool kiln_unit_calls_c(PyCodeObject* code, int unit) {
    if (unit < 0 || unit >= (int)Py_SIZE(code)) {
        return false;
    }
    int opcode = _PyCode_CODE(code)[unit].op.code;
    switch (_PyOpcode_Deopt[opcode]) {
    case CALL: return opcode != CALL_PY_EXACT_ARGS && opcode != CALL_PY_WITH_DEFAULTS;
    case CALL_FUNCTION_EX:
    case INSTRUMENTED_CALL:
    case INSTRUMENTED_CALL_FUNCTION_EX: return true;
    default: return false;
    }
}
