// Windows of the frame-evaluation hook: what they see, when they close, and that nobody else's hook suffers.
#include "profiler/frame_window.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kiln {
namespace {

constexpr const char* kProgram = R"(
def square(x, *, more=0): return x * x + more
def fails(): return 1 // 0
def numbers(): yield 1
def outer(x): return square(x, more=1) + square(x)
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
)";

class Observer final : public FrameObserver {
public:
    bool frameStarted(KilnFrame* frame, PyObject** result) override {
        PyCodeObject* code = kiln_frame_code(frame);
        seen.push_back(PyUnicode_AsUTF8(code->co_name));
        if (!takesOver) {
            return false;
        }
        *result = fails ? PyErr_Format(PyExc_ValueError, "taken over") : Py_NewRef(kiln_frame_slots(frame)[0]);
        return true;
    }

    std::vector<std::string> seen;
    bool takesOver = false;
    bool fails = false;
};

PyObject* otherHook(PyThreadState* thread, KilnFrame* frame, int throwing) {
    return _PyEval_EvalFrameDefault(thread, frame, throwing);
}

_PyFrameEvalFunction chained;

PyObject* chainingHook(PyThreadState* thread, KilnFrame* frame, int throwing) {
    return chained(thread, frame, throwing);
}

class FrameWindowTest : public testing::Test {
protected:
    static void SetUpTestSuite() { ASSERT_EQ(PyRun_SimpleString(kProgram), 0); }

    void SetUp() override { thread = PyThreadState_Get(); }

    void TearDown() override {
        FrameWindow::close(thread, observer);
        EXPECT_FALSE(hooked());
        EXPECT_EQ(thread->c_recursion_remaining, budget);
    }

    bool hooked() const { return _PyInterpreterState_GetEvalFrameFunc(thread->interp) != _PyEval_EvalFrameDefault; }

    // Calls a function of the program with an int; -1 and an exception set when it raised.
    static long call(const char* name, long argument) {
        PyObject* function = PyDict_GetItemString(PyModule_GetDict(PyImport_AddModule("__main__")), name);
        PyObject* result = argument < 0 ? PyObject_CallNoArgs(function) : PyObject_CallFunction(function, "l", argument);
        long value = result != nullptr && PyLong_Check(result) ? PyLong_AsLong(result) : -1;
        Py_XDECREF(result);
        return value;
    }

    static void setHook(_PyFrameEvalFunction hook) {
        _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), hook);
    }

    PyThreadState* thread = nullptr;
    int budget = PyThreadState_Get()->c_recursion_remaining;
    Observer observer;
};

TEST_F(FrameWindowTest, LastsForOneFrame) {
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    EXPECT_TRUE(hooked());
    EXPECT_EQ(call("outer", 3), 19);
    EXPECT_EQ(observer.seen, std::vector<std::string>{"outer"});
    EXPECT_FALSE(hooked());
}

TEST_F(FrameWindowTest, TakesTheFrameOver) {
    observer.takesOver = true;
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    EXPECT_EQ(call("outer", 3), 3);
    EXPECT_EQ(call("outer", 3), 19);
    observer.fails = true;
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    EXPECT_EQ(call("outer", 3), -1);
    EXPECT_TRUE(PyErr_ExceptionMatches(PyExc_ValueError));
    PyErr_Clear();
}

TEST_F(FrameWindowTest, ExceptionsPass) {
    ASSERT_TRUE(FrameWindow::open(thread, observer, 2));
    EXPECT_EQ(call("fails", -1), -1);
    EXPECT_TRUE(PyErr_ExceptionMatches(PyExc_ZeroDivisionError));
    PyErr_Clear();
    EXPECT_EQ(observer.seen, std::vector<std::string>{"fails"});
}

// Bound arguments and a keyword-only default are in the frame's first slots.
TEST_F(FrameWindowTest, SeesBoundArguments) {
    observer.takesOver = true;
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    EXPECT_EQ(call("square", 7), 7);
}

TEST_F(FrameWindowTest, GeneratorsAreMadeAndResumed) {
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    ASSERT_EQ(PyRun_SimpleString("made = numbers()"), 0);
    EXPECT_FALSE(hooked());
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    PyObject* made = PyDict_GetItemString(PyModule_GetDict(PyImport_AddModule("__main__")), "made");
    PyObject* item = PyIter_Next(made);
    EXPECT_EQ(PyLong_AsLong(item), 1);
    Py_DECREF(item);
}

TEST_F(FrameWindowTest, ClosesWithoutAFrame) {
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    Observer another;
    FrameWindow::close(thread, another);
    EXPECT_TRUE(hooked());
    FrameWindow::close(thread, observer);
    EXPECT_FALSE(hooked());
    EXPECT_TRUE(observer.seen.empty());
}

// A frame of another thread ends the window, and nobody is told.
TEST_F(FrameWindowTest, OtherThreadsCloseIt) {
    PyThreadState* other = PyThreadState_New(thread->interp);
    PyThreadState_Swap(other);
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    EXPECT_EQ(call("square", 5), 25);
    EXPECT_FALSE(hooked());
    PyThreadState_Swap(thread);
    PyThreadState_Clear(other);
    PyThreadState_Delete(other);
    EXPECT_TRUE(observer.seen.empty());
}

TEST_F(FrameWindowTest, RecursionGoesOnUnhooked) {
    ASSERT_TRUE(FrameWindow::open(thread, observer, 2));
    EXPECT_EQ(call("depth", 900), 900);
    EXPECT_EQ(observer.seen.size(), 1u);
}

TEST_F(FrameWindowTest, StandsBackForAnotherHook) {
    setHook(otherHook);
    uint64_t before = FrameWindow::statistics().notFree;
    EXPECT_FALSE(FrameWindow::open(thread, observer, 0));
    EXPECT_EQ(FrameWindow::statistics().notFree, before + 1);
    EXPECT_EQ(_PyInterpreterState_GetEvalFrameFunc(thread->interp), otherHook);
    EXPECT_EQ(call("outer", 3), 19);
    EXPECT_TRUE(observer.seen.empty());
    setHook(_PyEval_EvalFrameDefault);
}

// A hook that is put over an open window stays, and may call what it found there for ever.
TEST_F(FrameWindowTest, AnotherHookMayChain) {
    ASSERT_TRUE(FrameWindow::open(thread, observer, 0));
    chained = _PyInterpreterState_GetEvalFrameFunc(thread->interp);
    setHook(chainingHook);
    EXPECT_EQ(call("outer", 3), 19);
    EXPECT_EQ(_PyInterpreterState_GetEvalFrameFunc(thread->interp), chainingHook);
    EXPECT_EQ(observer.seen, std::vector<std::string>{"outer"});
    EXPECT_FALSE(FrameWindow::open(thread, observer, 0));
    EXPECT_EQ(call("outer", 4), 33);
    setHook(_PyEval_EvalFrameDefault);
}

}  // namespace
}  // namespace kiln
