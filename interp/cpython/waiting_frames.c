/* Functions that compiled code has taken in have no frames while it waits for an operation of CPython's. Whoever runs Python code, or
 * asks for the current frame, passes by here first, and they get frames.
 *
 * The build has renamed CPython's own functions (scripts/cmake/FindPythonInterpreter.cmake), so that calls from inside CPython and
 * from extension modules find those of this file. The evaluation loop's own calls do not: nobody waits there. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_runtime.h>

static void (*make_frames)(PyThreadState* tstate, KilnFrame* frame);
static void (*keep_values)(void* record);

void kiln_make_waiting_frames(PyThreadState* tstate) {
    _PyInterpreterFrame* frame = tstate->cframe != NULL ? tstate->cframe->current_frame : NULL;
    if (frame != NULL && make_frames != NULL && kiln_frame_record(frame) != NULL) {
        make_frames(tstate, frame);
    }
}

static void keep_waiting_values(PyThreadState* tstate) {
    _PyInterpreterFrame* frame = tstate->cframe != NULL && keep_values != NULL ? tstate->cframe->current_frame : NULL;
    for (; frame != NULL; frame = frame->previous) {
        void* record = kiln_frame_record(frame);
        if (record != NULL) {
            keep_values(record);
        }
    }
}

static void for_all_threads(void (*callback)(PyThreadState* tstate)) {
    for (PyThreadState* tstate = PyInterpreterState_ThreadHead(_PyInterpreterState_GET()); tstate != NULL; tstate = PyThreadState_Next(tstate)) {
        callback(tstate);
    }
}

void kiln_keep_waiting_values_of_all(void) {
    for_all_threads(keep_waiting_values);
}

extern PyFrameObject* kiln_plain_PyThreadState_GetFrame(PyThreadState* tstate);

/* KILN_LOOKER(result, name, parameters, the thread that is looked at, arguments) */
#define KILN_LOOKER(result, name, parameters, tstate, ...) \
    extern result kiln_plain_##name parameters;            \
    __attribute__((visibility("default"))) result name parameters { \
        kiln_make_waiting_frames(tstate);                  \
        return kiln_plain_##name(__VA_ARGS__);             \
    }

#define CURRENT _PyThreadState_GET()

/* How C code calls a function. */
extern PyObject* kiln_plain__PyEval_Vector(PyThreadState* tstate, PyFunctionObject* function, PyObject* locals, PyObject* const* args, size_t count, PyObject* names);
__attribute__((visibility("default"))) PyObject* _PyEval_Vector(PyThreadState* tstate, PyFunctionObject* function, PyObject* locals, PyObject* const* args, size_t count,
                                                               PyObject* names) {
    PyObject* result;
    if (locals == NULL && names == NULL && kiln_entered_from_c(tstate, function, args, count, &result)) {
        return result;
    }
    kiln_make_waiting_frames(tstate);
    return kiln_plain__PyEval_Vector(tstate, function, locals, args, count, names);
}

KILN_LOOKER(PyObject*, PyEval_EvalCode, (PyObject * code, PyObject* globals, PyObject* locals), CURRENT, code, globals, locals)
KILN_LOOKER(PyObject*, PyEval_EvalCodeEx,
            (PyObject * code, PyObject* globals, PyObject* locals, PyObject* const* args, int count, PyObject* const* keywords, int keyword_count,
             PyObject* const* defaults, int default_count, PyObject* keyword_defaults, PyObject* closure),
            CURRENT, code, globals, locals, args, count, keywords, keyword_count, defaults, default_count, keyword_defaults, closure)
KILN_LOOKER(PyObject*, PyEval_EvalFrame, (PyFrameObject * f), CURRENT, f)
KILN_LOOKER(PyObject*, PyEval_EvalFrameEx, (PyFrameObject * f, int throwing), CURRENT, f, throwing)
KILN_LOOKER(PyFrameObject*, PyEval_GetFrame, (void), CURRENT)
KILN_LOOKER(_PyInterpreterFrame*, _PyEval_GetFrame, (void), CURRENT)
KILN_LOOKER(PyObject*, PyEval_GetLocals, (void), CURRENT)
KILN_LOOKER(PyObject*, _PyEval_GetFrameLocals, (void), CURRENT)
KILN_LOOKER(PyObject*, PyEval_GetGlobals, (void), CURRENT)
KILN_LOOKER(PyObject*, PyEval_GetBuiltins, (void), CURRENT)
KILN_LOOKER(PyObject*, _PyEval_GetBuiltins, (PyThreadState * tstate), tstate, tstate)
KILN_LOOKER(int, PyEval_MergeCompilerFlags, (PyCompilerFlags * flags), CURRENT, flags)

PyFrameObject* kiln_frame_object(PyThreadState* tstate) {
    return kiln_plain_PyThreadState_GetFrame(tstate);
}

/* greenlet calls it before it swaps the native stack. */
__attribute__((visibility("default"))) PyFrameObject* PyThreadState_GetFrame(PyThreadState* tstate) {
    kiln_make_waiting_frames(tstate);
    keep_waiting_values(tstate);
    return kiln_plain_PyThreadState_GetFrame(tstate);
}

/* Long operations ask again and again. */
static bool has_nothing_to_do(PyThreadState* tstate) {
    return !_Py_atomic_load_relaxed(&_PyRuntime.signals.is_tripped) && !_Py_atomic_load_relaxed(&tstate->interp->ceval.gc_scheduled);
}

/* Handlers get the current frame. A shadow frame can't be given: compiled code loops, and will poll. */
static bool takes_signals(PyThreadState* tstate) {
    if (has_nothing_to_do(tstate)) {
        return false;
    }
    kiln_make_waiting_frames(tstate);
    _PyInterpreterFrame* frame = tstate->cframe->current_frame;
    return frame == NULL || frame->stacktop != KILN_SHADOW_STACKTOP;
}

#define KILN_SIGNAL_CHECK(name, parameters, tstate, ...)       \
    extern int kiln_plain_##name parameters;                   \
    __attribute__((visibility("default"))) int name parameters { \
        return takes_signals(tstate) ? kiln_plain_##name(__VA_ARGS__) : 0; \
    }

KILN_SIGNAL_CHECK(PyErr_CheckSignals, (void), CURRENT)
KILN_SIGNAL_CHECK(_PyErr_CheckSignals, (void), CURRENT)
KILN_SIGNAL_CHECK(_PyErr_CheckSignalsTstate, (PyThreadState * tstate), tstate, tstate)

void kiln_make_waiting_frames_of_all(void) {
    for_all_threads(kiln_make_waiting_frames); /* those that wait have given the GIL away */
}

extern PyObject* kiln_plain__PyThread_CurrentFrames(void);
__attribute__((visibility("default"))) PyObject* _PyThread_CurrentFrames(void) {
    kiln_make_waiting_frames_of_all();
    return kiln_plain__PyThread_CurrentFrames();
}

/* What genobject.c calls in place of _PyEval_EvalFrameDefault. */
PyObject* kiln_evaluate_generator(PyThreadState* tstate, _PyInterpreterFrame* frame, int throwing) {
    kiln_make_waiting_frames(tstate);
    return _PyEval_EvalFrameDefault(tstate, frame, throwing);
}

static _PyCFunctionFast plain_getframe;
static _PyCFunctionFastWithKeywords plain_getframemodulename;

static PyObject* getframe(PyObject* module, PyObject* const* args, Py_ssize_t count) {
    kiln_make_waiting_frames(CURRENT);
    return plain_getframe(module, args, count);
}

static PyObject* getframemodulename(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    kiln_make_waiting_frames(CURRENT);
    return plain_getframemodulename(module, args, count, names);
}

/* Its table of methods has another function from now on; what it had. */
static PyCFunction replace_in_sys(const char* name, int flags, PyCFunction by) {
    PyObject* found = PySys_GetObject(name); /* borrowed */
    if (found == NULL || !PyCFunction_CheckExact(found) || PyCFunction_GET_FLAGS(found) != flags) {
        return NULL;
    }
    PyMethodDef* method = ((PyCFunctionObject*)found)->m_ml;
    PyCFunction plain = method->ml_meth;
    method->ml_meth = by;
    return plain;
}

void kiln_make_frames_by(void (*callback)(PyThreadState* tstate, KilnFrame* frame), void (*keep)(void* record)) {
    if (make_frames == NULL) {
        plain_getframe = (_PyCFunctionFast)(void (*)(void))replace_in_sys("_getframe", METH_FASTCALL, (PyCFunction)(void (*)(void))getframe);
        plain_getframemodulename = (_PyCFunctionFastWithKeywords)(void (*)(void))replace_in_sys(
            "_getframemodulename", METH_FASTCALL | METH_KEYWORDS, (PyCFunction)(void (*)(void))getframemodulename);
    }
    make_frames = callback;
    keep_values = keep;
}
