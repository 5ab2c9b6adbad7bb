// Mechanisms of entering a hot loop in the frame that runs it: a JUMP callback works on the live frame and redirects
// it.
#include <gtest/gtest.h>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

using JumpHandler = PyObject* (*)(PyThreadState* tstate, KilnFrame* frame);

// What the one JUMP callback does, and where it sends the frame.
struct Entry {
    JumpHandler handler = nullptr;
    int threshold = 20;
    int jumps = 0;
    int targetUnit = 0;
};
Entry entry;

PyObject* onJump(PyObject*, PyObject* const*, Py_ssize_t) {
    if (++entry.jumps != entry.threshold) {
        Py_RETURN_NONE;
    }
    PyThreadState* tstate = PyThreadState_Get();
    return entry.handler(tstate, kiln_current_frame(tstate));
}

PyMethodDef onJumpDef = defineFastCall("on_jump", onJump);

void arm(PyCodeObject* code, JumpHandler handler, int targetUnit) {
    entry = {handler, 20, 0, targetUnit};
    kiln_monitor_register(KILN_EVENT_JUMP, makeCallable(&onJumpDef).get());
    ASSERT_EQ(kiln_monitor_set(code, KILN_EVENT_JUMP), 0);
}

void storeInt(PyObject** slot, long long value) {
    Py_SETREF(*slot, PyLong_FromLongLong(value));
}

// The locals are n, i, total: finishes the loop and sends the frame past it.
PyObject* finishFunctionLoop(PyThreadState*, KilnFrame* frame) {
    PyObject** locals = kiln_frame_slots(frame);
    long long n = PyLong_AsLongLong(locals[0]);
    long long i = PyLong_AsLongLong(locals[1]);
    long long total = PyLong_AsLongLong(locals[2]);
    for (; i < n; i++) {
        total += i;
    }
    storeInt(&locals[1], i);
    storeInt(&locals[2], total);
    kiln_frame_set_last_unit(frame, entry.targetUnit);
    return Py_NewRef(kiln_monitor_disable());
}

// Row: enter a hot loop in the running frame of a function.
TEST(Mechanism, RunsAFunctionsLoopInItsLiveFrame) {
    Ref names = runModule(R"(
def add_up(n, i, total):
    while True:
        if i >= n: break
        total += i
        i += 1
    return total, i
)");
    ASSERT_TRUE(names);
    PyObject* code = PyFunction_GetCode(lookUp(names, "add_up"));
    // The last three instructions are LOAD_FAST total, LOAD_FAST i, BUILD_TUPLE.
    int target = unitOf(code, "BUILD_TUPLE") - 2;
    arm(codeNamed(names, "add_up"), finishFunctionLoop, target);
    ASSERT_TRUE(runIn(names.get(), "right = int(add_up(3000000, 0, 0) == (4499998500000, 3000000))"));
    EXPECT_EQ(intNamed(names, "right"), 1);
    EXPECT_EQ(entry.jumps, 20);
}

// The loop's iterator is the top of the stack: exhausts it, pops it, and sends the frame past END_FOR.
PyObject* finishModuleLoop(PyThreadState*, KilnFrame* frame) {
    int top = kiln_frame_stacktop(frame) - 1;
    PyObject* iterator = kiln_frame_slots(frame)[top];
    PyObject* locals = kiln_frame_locals(frame);
    long long total = PyLong_AsLongLong(PyDict_GetItemString(locals, "total"));
    Ref last;
    while (PyObject* item = PyIter_Next(iterator)) {
        last.reset(item);
        total += PyLong_AsLongLong(item);
    }
    PyDict_SetItemString(locals, "i", last.get());
    PyDict_SetItemString(locals, "total", Ref(PyLong_FromLongLong(total)).get());
    kiln_frame_set_stacktop(frame, top);
    Py_DECREF(iterator);
    kiln_frame_set_last_unit(frame, entry.targetUnit);
    return Py_NewRef(kiln_monitor_disable());
}

// Same row, at module level, where names live in a dict and the operand stack changes.
TEST(Mechanism, RunsAModulesLoopInItsLiveFrame) {
    constexpr const char* kSource = "total = 0\nfor i in range(5000):\n    total += i\nafter = total + 1\n";
    int right = 0;
    for (int k = 0; k < 200; k++) {
        Ref code(Py_CompileString(kSource, "loop.py", Py_file_input));
        ASSERT_TRUE(code);
        arm(reinterpret_cast<PyCodeObject*>(code.get()), finishModuleLoop, unitOf(code.get(), "END_FOR") + 1);
        Ref names = runModule("");
        Ref result(PyEval_EvalCode(code.get(), names.get(), names.get()));
        ASSERT_TRUE(result);
        right += intNamed(names, "after") == 12497501 && intNamed(names, "i") == 4999 && entry.jumps == 20;
    }
    EXPECT_EQ(right, 200);
}

// The locals are values, i, total: native code stops before the subscript that would raise, which the interpreter then
// runs.
PyObject* stopBeforeFault(PyThreadState*, KilnFrame* frame) {
    PyObject** locals = kiln_frame_slots(frame);
    storeInt(&locals[1], PyList_GET_SIZE(locals[0]));
    kiln_frame_set_last_unit(frame, entry.targetUnit);
    Py_RETURN_NONE;
}

// Row: traps. A fault is left to the interpreter, just before the faulting instruction.
TEST(Mechanism, LeavesAFaultToTheInterpreter) {
    Ref names = runModule(R"(
def add_up(values, i, total):
    while True:
        try:
            total += values[i]
            i += 1
        except IndexError as error:
            return total, i, error.__traceback__.tb_lineno, str(error)
)");
    ASSERT_TRUE(names);
    PyObject* code = PyFunction_GetCode(lookUp(names, "add_up"));
    // LOAD_FAST total, LOAD_FAST values, LOAD_FAST i, BINARY_SUBSCR.
    arm(codeNamed(names, "add_up"), stopBeforeFault, unitOf(code, "BINARY_SUBSCR") - 3);
    ASSERT_TRUE(runIn(names.get(), "right = int(add_up([1] * 100, 0, 0) == (20, 100, 5, 'list index out of range'))"));
    EXPECT_EQ(intNamed(names, "right"), 1);
}

// Calls the module's `inner` from native code, as an opaque call does.
bool suspendTracing;
PyObject* callInner(PyThreadState* tstate, KilnFrame* frame) {
    EXPECT_GT(tstate->tracing, 0);
    int saved = tstate->tracing;
    if (suspendTracing) {
        saved = kiln_tracing_suspend(tstate);
        EXPECT_EQ(tstate->tracing, 0);
    }
    Ref result(PyObject_CallNoArgs(PyDict_GetItemString(kiln_frame_globals(frame), "inner")));
    if (suspendTracing) {
        kiln_tracing_restore(tstate, saved);
    }
    EXPECT_EQ(tstate->tracing, saved);
    return result ? Py_NewRef(Py_None) : nullptr;
}

long long countEventsSeenByOtherTool(bool suspend) {
    suspendTracing = suspend;
    Ref names = runModule(R"(
import sys
monitoring, seen = sys.monitoring, []
def inner(): return nested()
def nested(): return 1
def loop():
    for i in range(30): pass
)");
    arm(codeNamed(names, "loop"), callInner, 0);
    runIn(names.get(), R"(
monitoring.use_tool_id(3, 'another tool')
monitoring.register_callback(3, monitoring.events.PY_START, lambda code, offset: seen.append(code.co_name))
monitoring.set_events(3, monitoring.events.PY_START)
loop()
monitoring.set_events(3, 0)
monitoring.free_tool_id(3)
count = len([name for name in seen if name in ('inner', 'nested')])
)");
    return intNamed(names, "count");
}

// Same row: other tools see calls made by native code only when `tracing` is cleared around it.
TEST(Mechanism, NativeCodeLetsOtherToolsSeeItsCalls) {
    EXPECT_EQ(countEventsSeenByOtherTool(true), 2);
    EXPECT_EQ(countEventsSeenByOtherTool(false), 0);
}

}  // namespace
}  // namespace kiln::mechanism
