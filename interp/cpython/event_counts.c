/* Counting without calls: events that kiln's tool only counts go by here, before CPython looks for a callback. And which code is worth
   counting: what runs often enough for CPython to specialise it. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"
#include "interp/cpython/monitoring_tool.h"

#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>

static void (*on_warm)(PyCodeObject*);

void kiln_count_events(void (*warm)(PyCodeObject*)) {
    on_warm = warm;
}

static KilnEnter enter_from_c;

void kiln_enter_from_c(KilnEnter enter) {
    enter_from_c = enter;
}

bool kiln_entered_from_c(PyThreadState* tstate, PyFunctionObject* function, PyObject* const* arguments, size_t count, PyObject** result) {
    KilnCodeEntry* entry = kiln_code_entry((PyCodeObject*)function->func_code);
    if (entry == NULL || entry->calls_from_c_left == KILN_NEVER || !_Py_IsMainInterpreter(tstate->interp)) {
        return false;
    }
    if (entry->calls_from_c_left > 0) {
        entry->calls_from_c_left--;
        return false;
    }
    return enter_from_c(tstate, entry->record, function, arguments, count, result);
}

/* Nobody but kiln is to hear of the event at this instruction. */
static bool is_kilns_alone(const PyCodeObject* code, int event, Py_ssize_t unit) {
    if (!kiln_others_may_listen) {
        return true;
    }
    const _PyCoMonitoringData* data = code->_co_monitoring;
    if (data == NULL) {
        return false;
    }
    unsigned tools = data->tools != NULL ? data->tools[unit] : data->active_monitors.tools[event];
    return tools == 1u << KILN_TOOL;
}

static bool go_by(uint32_t* left) {
    if (*left == 0) {
        return false;
    }
    --*left;
    return true;
}

/* The linker sends the evaluation loop here (--wrap), at every call and round of what is counted: what is mostly so is told in registers. */
int __real__Py_call_instrumentation(PyThreadState*, int, _PyInterpreterFrame*, _Py_CODEUNIT*);
int __wrap__Py_call_instrumentation(PyThreadState*, int, _PyInterpreterFrame*, _Py_CODEUNIT*);

__attribute__((noinline)) static int tell_start(PyThreadState* tstate, int event, _PyInterpreterFrame* frame, _Py_CODEUNIT* instr) {
    if (event == PY_MONITORING_EVENT_PY_START && tstate->tracing == 0) {
        KilnCodeEntry* entry = kiln_code_entry(frame->f_code);
        if (entry != NULL && is_kilns_alone(frame->f_code, event, instr - _PyCode_CODE(frame->f_code)) && go_by(&entry->calls_left)) {
            return 0;
        }
    }
    return __real__Py_call_instrumentation(tstate, event, frame, instr);
}

int __wrap__Py_call_instrumentation(PyThreadState* tstate, int event, _PyInterpreterFrame* frame, _Py_CODEUNIT* instr) {
    KilnCodeEntry* entry = kiln_code_entry(frame->f_code);
    if (entry != NULL && entry->calls_left != 0 && event == PY_MONITORING_EVENT_PY_START && tstate->tracing == 0 && !kiln_others_may_listen) {
        entry->calls_left--;
        return 0;
    }
    return tell_start(tstate, event, frame, instr);
}

/* NULL for a loop that was not met yet. */
static KilnLoopGrant* loop_grant(KilnCodeEntry* entry, Py_ssize_t unit) {
    if (entry->loop.unit == unit) {
        return &entry->loop;
    }
    for (size_t index = 0; index < entry->record->more_loop_count; index++) {
        if (entry->record->more_loops[index].unit == unit) {
            return &entry->record->more_loops[index];
        }
    }
    return NULL;
}

static bool jump_goes_by(const _PyInterpreterFrame* frame, int event, const _Py_CODEUNIT* instr, const _Py_CODEUNIT* target) {
    KilnCodeEntry* entry = kiln_code_entry(frame->f_code);
    const _Py_CODEUNIT* start = _PyCode_CODE(frame->f_code);
    KilnLoopGrant* grant = entry != NULL ? loop_grant(entry, target - start) : NULL;
    return grant != NULL && is_kilns_alone(frame->f_code, event, instr - start) && go_by(&grant->left);
}

_Py_CODEUNIT* __real__Py_call_instrumentation_jump(PyThreadState*, int, _PyInterpreterFrame*, _Py_CODEUNIT*, _Py_CODEUNIT*);
_Py_CODEUNIT* __wrap__Py_call_instrumentation_jump(PyThreadState*, int, _PyInterpreterFrame*, _Py_CODEUNIT*, _Py_CODEUNIT*);

__attribute__((noinline)) static _Py_CODEUNIT* tell_jump(PyThreadState* tstate, int event, _PyInterpreterFrame* frame, _Py_CODEUNIT* instr,
                                                         _Py_CODEUNIT* target) {
    if (event == PY_MONITORING_EVENT_JUMP && target < instr && tstate->tracing == 0 && jump_goes_by(frame, event, instr, target)) {
        return target;
    }
    return __real__Py_call_instrumentation_jump(tstate, event, frame, instr, target);
}

_Py_CODEUNIT* __wrap__Py_call_instrumentation_jump(PyThreadState* tstate, int event, _PyInterpreterFrame* frame,
                                                   _Py_CODEUNIT* instr, _Py_CODEUNIT* target) {
    KilnCodeEntry* entry = kiln_code_entry(frame->f_code);
    if (entry != NULL && target - _PyCode_CODE(frame->f_code) == entry->loop.unit && entry->loop.left != 0 && target < instr &&
        event == PY_MONITORING_EVENT_JUMP && tstate->tracing == 0 && !kiln_others_may_listen) {
        entry->loop.left--;
        return target;
    }
    return tell_jump(tstate, event, frame, instr, target);
}

/* An instruction of the running code has just been specialised. */
static void note_warm(void) {
    PyThreadState* tstate = _PyThreadState_GET();
    PyCodeObject* code = tstate->cframe->current_frame->f_code;
    if (on_warm != NULL && kiln_code_entry(code) == NULL && _Py_IsMainInterpreter(tstate->interp)) {
        on_warm(code);
    }
}

/* Every loop and every function that does something has one of these instructions. */
#define SPECIALIZE(NAME, PARAMETERS, ARGUMENTS)      \
    void __real__Py_Specialize_##NAME PARAMETERS;    \
    void __wrap__Py_Specialize_##NAME PARAMETERS;    \
    void __wrap__Py_Specialize_##NAME PARAMETERS {   \
        __real__Py_Specialize_##NAME ARGUMENTS;      \
        note_warm();                                 \
    }
SPECIALIZE(BinaryOp, (PyObject* left, PyObject* right, _Py_CODEUNIT* instr, int oparg, PyObject** locals),
           (left, right, instr, oparg, locals))
SPECIALIZE(BinarySubscr, (PyObject* container, PyObject* item, _Py_CODEUNIT* instr), (container, item, instr))
SPECIALIZE(Call, (PyObject* callable, _Py_CODEUNIT* instr, int arguments, PyObject* names), (callable, instr, arguments, names))
SPECIALIZE(CompareOp, (PyObject* left, PyObject* right, _Py_CODEUNIT* instr, int oparg), (left, right, instr, oparg))
SPECIALIZE(ForIter, (PyObject* iterator, _Py_CODEUNIT* instr, int oparg), (iterator, instr, oparg))
SPECIALIZE(LoadAttr, (PyObject* owner, _Py_CODEUNIT* instr, PyObject* name), (owner, instr, name))
SPECIALIZE(LoadGlobal, (PyObject* globals, PyObject* builtins, _Py_CODEUNIT* instr, PyObject* name), (globals, builtins, instr, name))
SPECIALIZE(StoreAttr, (PyObject* owner, _Py_CODEUNIT* instr, PyObject* name), (owner, instr, name))
SPECIALIZE(StoreSubscr, (PyObject* container, PyObject* item, _Py_CODEUNIT* instr), (container, item, instr))
SPECIALIZE(UnpackSequence, (PyObject* sequence, _Py_CODEUNIT* instr, int oparg), (sequence, instr, oparg))
