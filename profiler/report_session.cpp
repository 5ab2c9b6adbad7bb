// When the report is written: at the interpreter's end, before os._exit(), at exit(), and at SIGTERM.
#include "profiler/report_session.h"

#include <Python.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "interp/config.h"
#include "interp/cpython/sampling.h"
#include "profiler/live_report.h"
#include "profiler/measurement.h"
#include "profiler/report_environment.h"
#include "profiler/report_output.h"
#include "profiler/report_section.h"
#include "profiler/report_signal.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

using FastFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

struct Session {
    ReportOutput output;
    Measurement whole;
    JsonValue environment;
    std::atomic<bool> written{false};
    bool isHelper = false;
    FastFunction originalExit = nullptr;
};

Session& session() {
    // Never destroyed: exit() may run while threads still do.
    static Session& instance = *new Session;
    return instance;
}

// `withPython`: the GIL is held and the JIT may be asked.
void writeReport(bool withPython) {
    Session& s = session();
    if (s.isHelper || s.written.exchange(true)) {
        return;
    }
    Report report = s.whole.take(withPython, true);
    report.environment = s.environment;
    s.output.write(report);
}

void writeAtInterpreterEnd(void*) {
    if (!terminationRequested()) {
        stopSampler();
    }
    writeReport(true);
    dieIfTerminated();
}

// A library called exit(): Python cannot be asked any more.
void writeAtExit() {
    writeReport(false);
    dieIfTerminated();
}

void writeAtTermination(bool withPython) {
    writeReport(withPython);
}

// Stands in for os._exit(), which ends forked workers without ending the interpreter.
PyObject* exitAfterReport(PyObject* module, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count == 1 && PyIndex_Check(arguments[0])) {
        writeReport(kiln_is_main_interpreter(PyThreadState_Get()));
        dieIfTerminated();
    }
    PyObject* result = session().originalExit(module, arguments, count, names);
    // Still here: the arguments were wrong.
    session().written = false;
    return result;
}

PyObject* startInChild(PyObject*, PyObject*) {
    Session& s = session();
    s.output.becomeChild();
    stopPrintingInChild();
    for (const ReportSection* section : reportSections()) {
        section->restart();
    }
    s.written = false;
    s.isHelper = false;
    s.whole.restartInChild();
    Py_RETURN_NONE;
}

PyMethodDef startInChildMethod = {"kiln_start_report_in_child", startInChild, METH_NOARGS, nullptr};

// The builtin keeps its identity and its looks: only where its call leads is changed.
bool hookExit(PyObject* posix) {
    PyObject* function = PyObject_GetAttrString(posix, "_exit");
    if (function == nullptr) {
        return false;
    }
    bool known = PyCFunction_CheckExact(function) && PyCFunction_GetFlags(function) == (METH_FASTCALL | METH_KEYWORDS);
    if (known) {
        PyMethodDef* method = reinterpret_cast<PyCFunctionObject*>(function)->m_ml;
        session().originalExit = reinterpret_cast<FastFunction>(reinterpret_cast<void*>(method->ml_meth));
        method->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(exitAfterReport));
    }
    Py_DECREF(function);
    return true;
}

bool hookFork(PyObject* posix) {
    PyObject* callback = PyCFunction_New(&startInChildMethod, nullptr);
    PyObject* method = PyObject_GetAttrString(posix, "register_at_fork");
    PyObject* names = Py_BuildValue("(s)", "after_in_child");
    PyObject* result = nullptr;
    if (callback != nullptr && method != nullptr && names != nullptr) {
        result = PyObject_Vectorcall(method, &callback, 0, names);
    }
    Py_XDECREF(names);
    Py_XDECREF(method);
    Py_XDECREF(callback);
    Py_XDECREF(result);
    return result != nullptr;
}

// For children, through os.environ where there is one, so that a copy of it carries the variable.
bool tellChildren() {
    const ReportOutput& output = session().output;
    std::string value = output.variableValue();
    PyObject* os = PyDict_GetItemString(PyImport_GetModuleDict(), "os");
    PyObject* environment = os != nullptr ? PyObject_GetAttrString(os, "environ") : nullptr;
    if (environment == nullptr) {
        PyErr_Clear();
        return ::setenv(ReportOutput::variableName(), value.c_str(), 1) == 0;
    }
    PyObject* text = PyUnicode_DecodeFSDefault(value.c_str());
    int status = text != nullptr ? PyMapping_SetItemString(environment, ReportOutput::variableName(), text) : -1;
    Py_XDECREF(text);
    Py_DECREF(environment);
    return status == 0;
}

bool install() {
    PyObject* posix = PyImport_ImportModule("posix");
    if (posix == nullptr) {
        return false;
    }
    bool ok = hookExit(posix) && hookFork(posix) && tellChildren() &&
              kiln_at_interpreter_end(writeAtInterpreterEnd, nullptr) == 0 && std::atexit(writeAtExit) == 0;
    Py_DECREF(posix);
    return ok;
}

// Processes of multiprocessing's (and of loky's, which goes by it) that only wait until the program has ended: what they wrote then would be
// late, and tells nothing. What the fork server forks are processes of the program's.
bool isMultiprocessingHelper() {
    PyObject* arguments = PySys_GetObject("orig_argv");
    for (Py_ssize_t i = 1; arguments != nullptr && i < PyList_GET_SIZE(arguments); i++) {
        const char* before = PyUnicode_AsUTF8(PyList_GET_ITEM(arguments, i - 1));
        const char* text = PyUnicode_AsUTF8(PyList_GET_ITEM(arguments, i));
        PyErr_Clear();
        if (before == nullptr || text == nullptr || std::string_view(before) != "-c") {
            continue;
        }
        std::string_view code = text;
        return code.starts_with("from ") && (code.find(".resource_tracker import main") != std::string_view::npos ||
                                             code.find(".forkserver import main") != std::string_view::npos);
    }
    return false;
}

}  // namespace

bool startReport(const std::string& text) {
    Session& s = session();
    std::string error;
    if (!s.output.open(text, config().reportSourceText != "0", error)) {
        std::fprintf(stderr, "kiln: error: KILN_REPORT=%s: %s; nothing was run\n", text.c_str(), error.c_str());
        return false;
    }
    s.environment = describeEnvironment();
    s.isHelper = s.output.isChild() && isMultiprocessingHelper();
    if (!install()) {
        PyErr_Print();
        std::fprintf(stderr, "kiln: error: KILN_REPORT=%s: the report cannot be started; nothing was run\n",
                     text.c_str());
        return false;
    }
    if (!s.whole.begin()) {
        std::fprintf(stderr, "kiln: no time is sampled: the sampler cannot be started\n");
    }
    writeOnTermination(writeAtTermination);
    if (s.output.isLive()) {
        printLiveReports();
    }
    return true;
}

}  // namespace kiln
