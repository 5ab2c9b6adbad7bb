/* PEP 669 events of kiln's own tool, set per code object and invisible to sys.monitoring. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"
#include "interp/cpython/monitoring_tool.h"
#include "interp/cpython/superinstructions.h"

#include <internal/pycore_code.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_runtime.h>

/* Defined by instrumentation.c, declared by no header. */
extern int _PyMonitoring_SetLocalEvents(PyCodeObject* code, int tool_id, _PyMonitoringEventSet events);

int kiln_monitor_register(int event_bit, PyObject* callback) {
    PyObject* previous = _PyMonitoring_RegisterCallback(KILN_TOOL, __builtin_ctz((unsigned)event_bit), callback);
    Py_XDECREF(previous);
    return 0;
}

/* The tool has a name only during kiln's own calls, so sys.monitoring.get_tool(5) stays None. */
int kiln_monitor_set(PyCodeObject* code, uint32_t events) {
    PyInterpreterState* interp = PyInterpreterState_Get();
    PyObject* previous = interp->monitoring_tool_names[KILN_TOOL];
    if (previous == NULL) {
        interp->monitoring_tool_names[KILN_TOOL] = Py_None;
    }
    int status = _PyMonitoring_SetLocalEvents(code, KILN_TOOL, events);
    interp->monitoring_tool_names[KILN_TOOL] = previous;
    kiln_join_superinstructions(code, _PyCode_CODE(code));
    return status;
}

uint32_t kiln_monitor_events(PyCodeObject* code) {
    uint32_t events = 0;
    for (int event = 0; code->_co_monitoring != NULL && event < _PY_MONITORING_LOCAL_EVENTS; event++) {
        unsigned tools = code->_co_monitoring->local_monitors.tools[event];
        events |= (tools >> KILN_TOOL & 1u) << event;
    }
    return events;
}

PyObject* kiln_monitor_disable(void) {
    return &_PyInstrumentation_DISABLE;
}

static bool tools_beside_kiln(const uint8_t* tools, size_t events) {
    unsigned active = 0;
    for (size_t event = 0; event < events; event++) {
        active |= tools[event];
    }
    return (active & ~(1u << KILN_TOOL)) != 0;
}

bool kiln_monitor_tools_registered(PyInterpreterState* interp) {
    for (int tool = 0; tool < PY_MONITORING_SYS_PROFILE_ID; tool++) {
        for (int event = 0; tool != KILN_TOOL && event < _PY_MONITORING_EVENTS; event++) {
            if (interp->monitoring_callables[tool][event] != NULL) {
                return true;
            }
        }
    }
    return false;
}

bool kiln_monitor_others_active(PyThreadState* tstate, PyCodeObject* code) {
    const _Py_GlobalMonitors* global = &tstate->interp->monitors;
    if (tools_beside_kiln(global->tools, sizeof global->tools)) {
        return true;
    }
    if (code == NULL || code->_co_monitoring == NULL) {
        return false;
    }
    const _Py_LocalMonitors* local = &code->_co_monitoring->local_monitors;
    return tools_beside_kiln(local->tools, sizeof local->tools);
}

void kiln_monitor_stop(PyThreadState* tstate) {
    PyObject* stop = PyErr_GetRaisedException();
    _PyInterpreterFrame* frame = tstate->cframe->current_frame;
    const _PyCoMonitoringData* local = frame->f_code->_co_monitoring;
    const uint8_t* tools = local != NULL ? local->active_monitors.tools : tstate->interp->monitors.tools;
    if (tools[PY_MONITORING_EVENT_RAISE] != 0 || tstate->interp->monitors.tools[PY_MONITORING_EVENT_RAISE] != 0) {
        _Py_call_instrumentation_arg(tstate, PY_MONITORING_EVENT_RAISE, frame, frame->prev_instr, stop);
        PyErr_Clear(); /* so does FOR_ITER */
    }
    Py_DECREF(stop);
}

bool kiln_others_may_listen;

static void (*on_others)(void);

void kiln_watch_others(void (*callback)(void)) {
    on_others = callback;
}

void kiln_others_changed(void) {
    if (on_others != NULL && _Py_IsMainInterpreter(PyInterpreterState_Get())) {
        on_others();
    }
}

/* The linker sends the calls that sys.setprofile() and sys.settrace() make here (--wrap). */
int __real__PyMonitoring_SetEvents(int tool, _PyMonitoringEventSet events);
int __wrap__PyMonitoring_SetEvents(int tool, _PyMonitoringEventSet events);

int __wrap__PyMonitoring_SetEvents(int tool, _PyMonitoringEventSet events) {
    kiln_others_may_listen = kiln_others_may_listen || events != 0;
    kiln_make_waiting_frames_of_all(); /* the code of frames that run is instrumented at once */
    int status = __real__PyMonitoring_SetEvents(tool, events);
    kiln_others_changed();
    return status;
}

static _PyCFunctionFast original_get_local_events;

/* What the program would see of kiln's events, it sees as none. */
static PyObject* get_local_events(PyObject* module, PyObject* const* args, Py_ssize_t nargs) {
    if (nargs == 2 && PyLong_CheckExact(args[0]) && PyLong_AsLong(args[0]) == KILN_TOOL && PyCode_Check(args[1])) {
        return PyLong_FromLong(0);
    }
    return original_get_local_events(module, args, nargs);
}

static _PyCFunctionFast original_register_callback;
static void (*on_tool)(void);

static PyObject* register_callback(PyObject* module, PyObject* const* args, Py_ssize_t nargs) {
    bool takes_away = nargs == 3 && args[2] == Py_None;
    kiln_others_may_listen = kiln_others_may_listen || !takes_away;
    if (on_tool != NULL && !takes_away && _Py_IsMainInterpreter(PyInterpreterState_Get())) {
        on_tool();
    }
    return original_register_callback(module, args, nargs);
}

/* Puts `function` in the place of a function of sys.monitoring. 0, or -1 with an exception. */
static int stand_in(const char* name, _PyCFunctionFast function, _PyCFunctionFast* original) {
    PyObject* monitoring = PySys_GetObject("monitoring");
    PyObject* found = monitoring != NULL ? PyObject_GetAttrString(monitoring, name) : NULL;
    if (found == NULL) {
        return -1;
    }
    PyMethodDef* method = ((PyCFunctionObject*)found)->m_ml;
    if (*original == NULL && method->ml_flags == METH_FASTCALL) {
        *original = (_PyCFunctionFast)(void (*)(void))method->ml_meth;
        method->ml_meth = (PyCFunction)(void (*)(void))function;
    }
    Py_DECREF(found);
    if (*original == NULL) {
        PyErr_Format(PyExc_SystemError, "sys.monitoring.%s is not as in CPython 3.12", name);
        return -1;
    }
    return 0;
}

int kiln_monitor_hide(void) {
    PyInterpreterState* interp = PyInterpreterState_Get();
    kiln_others_may_listen = kiln_monitor_tools_registered(interp) || kiln_monitor_others_active(PyThreadState_Get(), NULL);
    bool hidden = stand_in("get_local_events", get_local_events, &original_get_local_events) == 0;
    return hidden ? stand_in("register_callback", register_callback, &original_register_callback) : -1;
}

bool kiln_is_audited(void) {
    return _PyRuntime.audit_hooks.head != NULL || _PyInterpreterState_GET()->audit_hooks != NULL;
}

void kiln_watch_tools(void (*callback)(void)) {
    on_tool = callback;
}

