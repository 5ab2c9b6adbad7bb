// Signals that come while a thread waits for a kernel.
#include "gpu/runtime/interrupts.h"

#include <Python.h>

#include "interp/cpython/cpython_shim.h"

namespace kiln::gpu {

const void* signalWord() {
    return kiln_signal_word();
}

bool signalHandlerRaised() {
    if (*static_cast<const volatile int*>(kiln_signal_word()) == 0 || PyGILState_Check() != 0) {
        return false;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    bool raised = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return raised;
}

Failure allocateOrCollect(const std::function<Failure()>& attempt) {
    Failure failure;
    Py_BEGIN_ALLOW_THREADS failure = attempt();
    Py_END_ALLOW_THREADS if (failure && !isInterruption(failure)) {
        PyGC_Collect();
        Py_BEGIN_ALLOW_THREADS failure = attempt();
        Py_END_ALLOW_THREADS
    }
    return failure;
}

Failure interruption() {
    return {"(set)", ""};
}

bool isInterruption(const Failure& failure) {
    return failure.exception == "(set)";
}

}  // namespace kiln::gpu
