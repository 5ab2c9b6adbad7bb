/* Generators whose frame compiled code runs in their stead: made, emptied and filled again. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_frame.h>
#include <internal/pycore_function.h>
#include <internal/pycore_genobject.h>
#include <internal/pycore_pystate.h>
#include <opcode.h>

extern PyObject* _Py_MakeCoro(PyFunctionObject* function);

static _PyInterpreterFrame* frame_of(PyObject* generator) {
    return (_PyInterpreterFrame*)((PyGenObject*)generator)->gi_iframe;
}

KilnFrame* kiln_generator_frame(PyObject* object) {
    bool suspended = PyGen_CheckExact(object) && ((PyGenObject*)object)->gi_frame_state < FRAME_EXECUTING;
    return suspended ? frame_of(object) : NULL;
}

bool kiln_generator_is_finished(PyObject* generator) {
    return ((PyGenObject*)generator)->gi_frame_state == FRAME_CLEARED;
}

bool kiln_generator_is_private(PyObject* generator) {
    return Py_REFCNT(generator) == 1 && ((PyGenObject*)generator)->gi_weakreflist == NULL &&
           frame_of(generator)->frame_obj == NULL;
}

bool kiln_generator_doubles_iterator(KilnFrame* frame) {
    int locals = frame->f_code->co_nlocalsplus;
    if (locals == 0 || frame->stacktop <= locals || frame->localsplus[0] == NULL ||
        frame->localsplus[0] != frame->localsplus[locals]) {
        return false;
    }
    return PyUnicode_READ_CHAR(PyTuple_GET_ITEM(frame->f_code->co_localsplusnames, 0), 0) == '.';
}

PyObject* kiln_generator_new(PyFunctionObject* function) {
    PyObject* object = _Py_MakeCoro(function);
    if (object == NULL) {
        return NULL;
    }
    PyGenObject* generator = (PyGenObject*)object;
    _PyInterpreterFrame* frame = frame_of(object);
    _PyFrame_Initialize(frame, (PyFunctionObject*)Py_NewRef(function), NULL, (PyCodeObject*)function->func_code, 0);
    frame->owner = FRAME_OWNED_BY_GENERATOR;
    frame->previous = NULL;
    generator->gi_frame_state = FRAME_EXECUTING;
    return object;
}

void kiln_generator_run(PyObject* generator) {
    ((PyGenObject*)generator)->gi_frame_state = FRAME_EXECUTING;
}

KilnFrame* kiln_generator_running_frame(PyObject* generator) {
    return frame_of(generator);
}

void kiln_generator_suspend(PyObject* generator, int unit, int stacktop) {
    _PyInterpreterFrame* frame = frame_of(generator);
    frame->prev_instr = _PyCode_CODE(frame->f_code) + unit;
    frame->stacktop = stacktop;
    bool created = _Py_GetBaseOpcode(frame->f_code, unit) == RETURN_GENERATOR;
    ((PyGenObject*)generator)->gi_frame_state = created ? FRAME_CREATED : FRAME_SUSPENDED;
}

bool kiln_generator_is_suspended(PyObject* generator) {
    return ((PyGenObject*)generator)->gi_frame_state == FRAME_SUSPENDED;
}

KilnFrame* kiln_generator_enter(PyThreadState* tstate, PyObject* generator) {
    PyGenObject* entered = (PyGenObject*)generator;
    _PyInterpreterFrame* frame = frame_of(generator);
    entered->gi_frame_state = FRAME_EXECUTING;
    entered->gi_exc_state.previous_item = tstate->exc_info;
    tstate->exc_info = &entered->gi_exc_state;
    frame->previous = tstate->cframe->current_frame;
    tstate->cframe->current_frame = frame;
    return frame;
}

void kiln_generator_finish(PyObject* generator) {
    _PyInterpreterFrame* frame = frame_of(generator);
    frame->stacktop = 0;
    ((PyGenObject*)generator)->gi_frame_state = FRAME_CLEARED;
    _PyFrame_ClearExceptCode(frame);
}
