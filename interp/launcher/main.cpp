// kiln: python's command line, with the JIT plugged in between initialisation and the script.
#include <Python.h>

#include "interp/config.h"
#include "jit/jit_engine.h"
#include "profiler/report_session.h"

namespace {

int exitOnStatus(const PyStatus& status) {
    if (PyStatus_IsExit(status)) {
        return status.exitcode;
    }
    Py_ExitStatusException(status);
}

}  // namespace

int main(int argc, char** argv) {
    PyConfig pythonConfig;
    PyConfig_InitPythonConfig(&pythonConfig);
    PyStatus status = PyConfig_SetBytesArgv(&pythonConfig, argc, argv);
    if (!PyStatus_Exception(status)) {
        status = Py_InitializeFromConfig(&pythonConfig);
    }
    if (PyStatus_Exception(status)) {
        PyConfig_Clear(&pythonConfig);
        return exitOnStatus(status);
    }
    kiln::loadConfig(pythonConfig.use_environment == 0);
    PyConfig_Clear(&pythonConfig);
    if (!kiln::startReport(kiln::config().reportText, kiln::jitStatistics)) {
        return 2;
    }
    if (kiln::config().jitOn) {
        kiln::startJit();
    }
    return Py_RunMain();
}
