/* Frames: read, push, run and pop `_PyInterpreterFrame`s. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_ceval.h>
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_opcode.h>
#include <opcode.h>

PyObject* kiln_exchange_handled(PyThreadState* tstate, PyObject* exception) {
    PyObject* before = tstate->exc_info->exc_value;
    tstate->exc_info->exc_value = exception;
    return before;
}

PyCodeObject* kiln_frame_code(KilnFrame* frame) {
    return frame->f_code;
}

PyObject* kiln_frame_function(KilnFrame* frame) {
    return frame->f_funcobj;
}

PyObject* kiln_frame_globals(KilnFrame* frame) {
    return frame->f_globals;
}

PyObject* kiln_frame_builtins(KilnFrame* frame) {
    return frame->f_builtins;
}

PyObject* kiln_frame_locals(KilnFrame* frame) {
    return frame->f_locals;
}

KilnFrame* kiln_frame_previous(KilnFrame* frame) {
    return frame->previous;
}

KilnFrame* kiln_frame_caller(KilnFrame* frame) {
    do {
        frame = frame->previous;
    } while (frame != NULL && frame->owner == FRAME_OWNED_BY_CSTACK);
    return frame;
}

PyObject** kiln_frame_slots(KilnFrame* frame) {
    return frame->localsplus;
}

int kiln_frame_stacktop(KilnFrame* frame) {
    return frame->stacktop;
}

void kiln_frame_set_stacktop(KilnFrame* frame, int stacktop) {
    frame->stacktop = stacktop;
}

int kiln_frame_last_unit(KilnFrame* frame) {
    return _PyInterpreterFrame_LASTI(frame);
}

void kiln_frame_set_last_unit(KilnFrame* frame, int unit) {
    frame->prev_instr = _PyCode_CODE(frame->f_code) + unit;
}

/* What the interpreter executes, without events and specialisation. */
static int current_opcode(KilnFrame* frame) {
    int next;
    return kiln_code_opcode(frame->f_code, (int)(frame->prev_instr - _PyCode_CODE(frame->f_code)), &next);
}

KilnCallPlace kiln_frame_call_place(KilnFrame* frame, PyObject* callable, PyObject* const* arguments, size_t count) {
    PyObject* const* slots = frame->localsplus;
    if (arguments < slots || arguments > slots + frame->f_code->co_nlocalsplus + frame->f_code->co_stacksize) {
        return KILN_CALL_ELSEWHERE;
    }
    size_t operand = current_opcode(frame) == CALL ? frame->prev_instr->op.arg : count + 1;
    bool plain = operand == count && arguments[-1] == callable && arguments[-2] == NULL;
    bool bound = operand + 1 == count && arguments[-1] == callable;
    return plain || bound ? KILN_CALL_BY_FRAME : KILN_CALL_BY_OTHERS; /* C code that calls on has other arguments */
}

bool kiln_frame_calls_with_tuple(KilnFrame* frame) {
    return current_opcode(frame) == CALL_FUNCTION_EX;
}

KilnFrame* kiln_frame_push(PyThreadState* tstate, PyFunctionObject* function, PyCodeObject* code, size_t words) {
    _PyInterpreterFrame* frame = _PyThreadState_PushFrame(tstate, (size_t)code->co_framesize + words);
    if (frame == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    _PyFrame_Initialize(frame, (PyFunctionObject*)Py_NewRef(function), NULL, code, 0);
    frame->previous = tstate->cframe->current_frame;
    tstate->cframe->current_frame = frame;
    return frame;
}

void* kiln_frame_behind(KilnFrame* frame) {
    return (PyObject**)frame + frame->f_code->co_framesize;
}

void kiln_frame_pop(PyThreadState* tstate, KilnFrame* frame) {
    tstate->cframe->current_frame = frame->previous;
    if (frame->stacktop < 0) {
        frame->stacktop = frame->f_code->co_nlocalsplus; /* a record was attached: the operand stack is empty */
    }
    /* As clear_thread_frame() of ceval.c: clearing may run finalisers, which need the recursion budget. */
    tstate->c_recursion_remaining--;
    _PyFrame_ClearExceptCode(frame);
    Py_DECREF(frame->f_code);
    tstate->c_recursion_remaining++;
    _PyThreadState_PopFrame(tstate, frame);
}

KilnFrame* kiln_shadow_frame(void* room, PyCodeObject* code, int last_unit, KilnFrame* previous) {
    _PyInterpreterFrame* frame = room;
    frame->f_code = code;
    frame->previous = previous;
    frame->owner = FRAME_OWNED_BY_THREAD;
    frame->stacktop = KILN_SHADOW_STACKTOP;
    kiln_frame_set_last_unit(frame, last_unit);
    return frame;
}

bool kiln_frame_has_object(KilnFrame* frame) {
    return frame->frame_obj != NULL;
}

PyObject* kiln_frame_run(PyThreadState* tstate, KilnFrame* frame, bool throwing) {
    /* The evaluation loop links the frame behind an entry frame of its own. */
    tstate->cframe->current_frame = frame->previous;
    return _PyEval_EvalFrameDefault(tstate, frame, throwing);
}

/* An address has 44 bits beside the three that alignment leaves zero: 30 of them in `stacktop`, negative by its sign and never
 * -1, the interpreter's own value for a frame that runs, and the others in `return_offset`. */
enum { RECORD_LOW_BITS = 30 };

void kiln_frame_attach(KilnFrame* frame, void* record) {
    uint64_t word = (uint64_t)(uintptr_t)record >> 3;
    frame->stacktop = (int)(0x80000000u | (uint32_t)(word & ((1u << RECORD_LOW_BITS) - 1)));
    frame->return_offset = (uint16_t)(word >> RECORD_LOW_BITS);
}

void* kiln_frame_record(KilnFrame* frame) {
    if (frame->stacktop >= -1) {
        return NULL;
    }
    uint64_t low = (uint32_t)frame->stacktop & ((1u << RECORD_LOW_BITS) - 1);
    return (void*)(uintptr_t)(((uint64_t)frame->return_offset << RECORD_LOW_BITS | low) << 3);
}

void* kiln_data_stack_push(PyThreadState* tstate, size_t words) {
    return _PyThreadState_PushFrame(tstate, words);
}

void kiln_data_stack_pop(PyThreadState* tstate, void* pushed) {
    _PyThreadState_PopFrame(tstate, pushed);
}
