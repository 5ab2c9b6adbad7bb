// Mechanisms over calls: the frame-evaluation hook in windows, and a function's own entry point.
#include <gtest/gtest.h>

#include <cstdint>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

// What the hook saw and how it behaves.
struct Window {
    int frames = 0;
    long long sumOfArguments = 0;
    int takenOver = 0;
    const char* takeOver = "";
    int closeAfter = INT32_MAX;
    int nested = 0;
    int deepest = 0;
    int remainingAtDeepest = 0;
};
Window window;

void closeWindow() {
    _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), _PyEval_EvalFrameDefault);
}

// A hooked frame uses two units of C recursion more than the interpreter's own call.
constexpr int kRecursionOfHook = 2;

PyObject* evaluate(PyThreadState* tstate, KilnFrame* frame, int throwing) {
    if (++window.nested > window.deepest) {
        window.deepest = window.nested;
        window.remainingAtDeepest = tstate->c_recursion_remaining;
    }
    tstate->c_recursion_remaining += kRecursionOfHook;
    PyObject* result = _PyEval_EvalFrameDefault(tstate, frame, throwing);
    tstate->c_recursion_remaining -= kRecursionOfHook;
    window.nested--;
    return result;
}

// The frame is not linked yet: popping it must leave the caller current.
PyObject* finishNatively(PyThreadState* tstate, KilnFrame* frame) {
    window.takenOver++;
    PyObject* result = PyNumber_Multiply(kiln_frame_slots(frame)[0], kiln_frame_slots(frame)[0]);
    KilnFrame* caller = kiln_current_frame(tstate);
    kiln_frame_pop(tstate, frame);
    kiln_set_current_frame(tstate, caller);
    return result;
}

PyObject* hook(PyThreadState* tstate, KilnFrame* frame, int throwing) {
    window.frames++;
    PyCodeObject* code = kiln_frame_code(frame);
    if (code->co_argcount == 1) {
        window.sumOfArguments += PyLong_AsLongLong(kiln_frame_slots(frame)[0]);
    }
    if (window.frames == window.closeAfter) {
        closeWindow();
    }
    if (PyUnicode_CompareWithASCIIString(code->co_name, window.takeOver) == 0) {
        return finishNatively(tstate, frame);
    }
    return evaluate(tstate, frame, throwing);
}

void openWindow(const Window& behaviour) {
    window = behaviour;
    _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), hook);
}

constexpr const char* kCalls = R"(
def square(x):
    return x * x
def calls():
    total = 0
    for i in range(100):
        total += square(i)
    return total
for _ in range(20): calls()
)";

// Row: see whole frames, take one over, and leave nothing behind when the window closes.
TEST(Mechanism, HookSeesFramesAndTakesThemOver) {
    Ref names = runModule(kCalls);
    ASSERT_TRUE(names);
    openWindow({.takeOver = "square"});
    Ref inside = callNamed(names, "calls");
    closeWindow();
    EXPECT_EQ(PyLong_AsLong(inside.get()), 328350);
    EXPECT_EQ(window.frames, 101);
    EXPECT_EQ(window.takenOver, 100);
    EXPECT_EQ(window.sumOfArguments, 4950);

    Ref outside = callNamed(names, "calls");
    EXPECT_EQ(PyLong_AsLong(outside.get()), 328350);
    EXPECT_EQ(window.frames, 101);
    std::string instructions = instructionsNow(PyFunction_GetCode(lookUp(names, "calls")));
    EXPECT_NE(instructions.find("CALL_PY_EXACT_ARGS"), std::string::npos) << instructions;
}

constexpr const char* kRecursion = R"(
import sys
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
def shallow(): return depth(900)
def deep():
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try: return depth(200000)
    finally: sys.setrecursionlimit(limit)
)";

// Row: close a window safely. Hooked frames cost no C recursion, and a window closed on a deep stack lets recursion go
// on.
TEST(Mechanism, WindowsCostNoRecursion) {
    Ref names = runModule(kRecursion);
    ASSERT_TRUE(names);
    PyThreadState* tstate = PyThreadState_Get();
    int remaining = tstate->c_recursion_remaining;
    openWindow({});
    Ref shallow = callNamed(names, "shallow");
    closeWindow();
    EXPECT_EQ(PyLong_AsLong(shallow.get()), 900);
    EXPECT_GE(window.deepest, 900);
    EXPECT_GE(window.remainingAtDeepest, remaining - 10);
    EXPECT_EQ(tstate->c_recursion_remaining, remaining);

    openWindow({.closeAfter = 600});
    Ref deep = callNamed(names, "deep");
    closeWindow();
    EXPECT_EQ(PyLong_AsLong(deep.get()), 200000);
    EXPECT_EQ(window.deepest, 600);
    EXPECT_EQ(tstate->c_recursion_remaining, remaining);
}

int entries;
PyObject* enterNatively(PyObject*, PyObject* const* arguments, size_t count, PyObject*) {
    entries++;
    return PyNumber_Multiply(arguments[0], arguments[0]);
}

// Row: enter a hot function, also from call sites that are specialised for its old entry point, and undo it.
TEST(Mechanism, SwapsAFunctionsEntryPoint) {
    Ref names = runModule(kCalls);
    ASSERT_TRUE(names);
    auto* function = reinterpret_cast<PyFunctionObject*>(lookUp(names, "square"));
    vectorcallfunc interpreted = function->vectorcall;
    entries = 0;
    PyFunction_SetVectorcall(function, enterNatively);
    EXPECT_EQ(function->func_version, 0u);
    for (int k = 0; k < 20; k++) {
        EXPECT_EQ(PyLong_AsLong(callNamed(names, "calls").get()), 328350);
    }
    EXPECT_EQ(entries, 2000);

    PyFunction_SetVectorcall(function, interpreted);
    EXPECT_EQ(PyLong_AsLong(callNamed(names, "calls").get()), 328350);
    EXPECT_EQ(entries, 2000);
}

}  // namespace
}  // namespace kiln::mechanism
