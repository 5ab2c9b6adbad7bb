// The sampler against native code of known cost, which reports itself as compiled code does.
#include "profiler/sampler.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace kiln {
namespace {

PyThreadState* thread;

// Python functions `heavy`, `light` and `caller` whose code objects stand for compiled ones.
class SamplerTest : public testing::Test {
protected:
    static void SetUpTestSuite() { thread = PyThreadState_Get(); }

    void SetUp() override {
        ASSERT_TRUE(startSampler());
        resetSampler();
        all = Report();
        run("def heavy(): pass\ndef light(): pass\n"
            "def caller(times):\n    for i in range(times):\n        work()\n");
    }

    void TearDown() override { stopSampler(); }

    static void run(const char* source) { ASSERT_EQ(PyRun_SimpleString(source), 0); }

    // Borrowed from the function.
    static PyCodeObject* codeOf(const char* name) {
        PyObject* function = PyDict_GetItemString(PyModule_GetDict(PyImport_AddModule("__main__")), name);
        return reinterpret_cast<PyCodeObject*>(PyFunction_GetCode(function));
    }

    // Makes work() a builtin that calls `body`.
    static void setWork(PyCFunction body) {
        static PyMethodDef method = {"work", nullptr, METH_NOARGS, nullptr};
        method.ml_meth = body;
        PyObject* function = PyCFunction_New(&method, nullptr);
        PyDict_SetItemString(PyModule_GetDict(PyImport_AddModule("__main__")), "work", function);
        Py_DECREF(function);
    }

    static inline Report all;

    static ReportFunction sampled(const std::string& name) {
        takeSamples(all, true);
        for (const ReportFunction& function : all.functions) {
            if (function.code.qualifiedName == name) {
                return function;
            }
        }
        return ReportFunction();
    }
};

// Of this thread, so that a busy machine does not change the proportions.
double cpuMs() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void runNative(PyCodeObject* code, int line, double ms, bool polls) {
    SamplerScope scope(thread, code);
    double end = cpuMs() + ms;
    while (cpuMs() < end) {
        if (polls && samplePending()) {
            takeSample(thread, {code, line});
        }
    }
}

PyCodeObject* heavyCode;
PyCodeObject* lightCode;

PyObject* workPolling(PyObject*, PyObject*) {
    runNative(heavyCode, 77, 9, true);
    runNative(lightCode, 88, 3, true);
    Py_RETURN_NONE;
}

PyObject* workInShortStays(PyObject*, PyObject*) {
    for (int i = 0; i < 100; i++) {
        runNative(heavyCode, 77, 0.09, false);
        runNative(lightCode, 88, 0.03, false);
    }
    Py_RETURN_NONE;
}

// As compiled code that does without SamplerScope.
PyObject* workPollingOnly(PyObject*, PyObject*) {
    double end = cpuMs() + 12;
    while (cpuMs() < end) {
        if (samplePending()) {
            takeSample(thread, {heavyCode, 77});
        }
    }
    Py_RETURN_NONE;
}

void expectThreeToOne(const ReportFunction& heavy, const ReportFunction& light) {
    double native = heavy.self.native + light.self.native;
    ASSERT_GT(native, 0.5);
    EXPECT_NEAR(heavy.self.native / native, 0.75, 0.05);
    EXPECT_LT(heavy.self.interpreted + light.self.interpreted, 0.05 * native);
}

TEST_F(SamplerTest, CompiledCodeThatPollsIsReportedByFunctionAndLine) {
    heavyCode = codeOf("heavy");
    lightCode = codeOf("light");
    setWork(workPolling);
    run("caller(250)");
    ReportFunction heavy = sampled("heavy");
    expectThreeToOne(heavy, sampled("light"));
    for (const ReportLine& line : heavy.lines) {
        EXPECT_TRUE(line.line == 77 || line.self.native < 0.05) << line.line;
    }
    ReportFunction caller = sampled("caller");
    EXPECT_LT(caller.self.total(), 0.05 * caller.cumulativeSeconds);
    EXPECT_GT(caller.cumulativeSeconds, 0.95 * 250 * 0.012);
}

TEST_F(SamplerTest, ShortStaysInCompiledCodeAreSeen) {
    heavyCode = codeOf("heavy");
    lightCode = codeOf("light");
    setWork(workInShortStays);
    run("caller(250)");
    expectThreeToOne(sampled("heavy"), sampled("light"));
}

TEST_F(SamplerTest, PollingAloneIsEnough) {
    heavyCode = codeOf("heavy");
    setWork(workPollingOnly);
    run("caller(40)");
    ReportFunction heavy = sampled("heavy");
    EXPECT_GT(heavy.self.native, 0.9 * 40 * 0.012);
}

// An interpreted function that compiled code calls is not compiled code.
PyObject* workCallingBack(PyObject*, PyObject*) {
    SamplerScope scope(thread, heavyCode);
    PyRun_SimpleString("spin(0.01)");
    Py_RETURN_NONE;
}

TEST_F(SamplerTest, InterpretedCalleesOfCompiledCodeAreInterpreted) {
    heavyCode = codeOf("heavy");
    setWork(workCallingBack);
    run("import time\ndef spin(t):\n    end = time.perf_counter() + t\n    while time.perf_counter() < end: pass\n"
        "caller(40)");
    ReportFunction spin = sampled("spin");
    EXPECT_GT(spin.self.interpreted, 0.3);
    EXPECT_LT(spin.self.native, 0.02);
}

PyObject* workCompiling(PyObject*, PyObject*) {
    SamplerScope scope(thread, lightCode, ReportTier::kCompiling);
    for (double end = cpuMs() + 12; cpuMs() < end;) {
    }
    Py_RETURN_NONE;
}

TEST_F(SamplerTest, CompilingIsTheCompiledFunctionsTime) {
    lightCode = codeOf("light");
    setWork(workCompiling);
    run("caller(40)");
    ReportFunction light = sampled("light");
    EXPECT_GT(light.self.compiling, 0.9 * 40 * 0.012);
    EXPECT_EQ(light.self.native, 0);
}

// A stay that is over by the time the sampler's thread has read where it lies; its memory holds anything then.
PyObject* workInStaysThatEnd(PyObject*, PyObject*) {
    alignas(SamplerScope) char memory[sizeof(SamplerScope)];
    for (int i = 0; i < 1000; i++) {
        auto* scope = new (memory) SamplerScope(thread, heavyCode);
        cpuMs();  // long enough to be seen
        scope->~SamplerScope();
        __atomic_store_n(reinterpret_cast<uintptr_t*>(&reinterpret_cast<SamplerStay*>(memory)->code), 1, __ATOMIC_RELAXED);
    }
    Py_RETURN_NONE;
}

TEST_F(SamplerTest, StaysThatEndWhileTheyAreRead) {
    heavyCode = codeOf("heavy");
    setWork(workInStaysThatEnd);
    run("caller(2000)");
    EXPECT_GT(sampled("caller").samples + sampled("heavy").samples, 50u);
}

TEST_F(SamplerTest, CodeThatDiesAtOnceIsStillNamed) {
    run("for i in range(400):\n"
        "    exec(compile('def gone():\\n    for i in range(20000): pass\\ngone()', 'made.py', 'exec'), {})\n");
    ReportFunction gone = sampled("gone");
    EXPECT_GT(gone.samples, 50u);
    EXPECT_EQ(gone.code.file, "made.py");
}

TEST_F(SamplerTest, NothingIsSampledAfterTheStop) {
    stopSampler();
    ReportFunction before = sampled("<module>");
    run("for i in range(2000000): pass");
    EXPECT_EQ(sampled("<module>").samples, before.samples);
}

}  // namespace
}  // namespace kiln
