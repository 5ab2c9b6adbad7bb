// kiln: python's command line, with the JIT plugged in between initialisation and the script.
#include <Python.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

#include "gpu/kernel_module.h"
#include "interp/config.h"
#include "interp/embedded_packages.h"
#include "interp/launcher/help.h"
#include "interp/launcher/python_home.h"
#include "interp/launcher/virtual_environment.h"
#include "interp/support/executable_path.h"
#include "jit/jit_engine.h"
#include "profiler/live_report.h"
#include "profiler/measurement.h"
#include "profiler/measurement_module.h"
#include "profiler/report_module.h"
#include "profiler/report_session.h"

namespace kiln {
extern const EmbeddedSource kEmbeddedPackages[];  // made by the build
}

namespace {

constexpr int kUsageError = 2;  // python's own status for a start that asks for something impossible

bool useEnvironment = true;  // neither -E nor -I

int exitOnStatus(const PyStatus& status) {
    if (PyStatus_IsExit(status)) {
        return status.exitcode;
    }
    Py_ExitStatusException(status);
}

// The bytes that a wide -X option was decoded from. CPython's own way back (Py_EncodeLocale) may want the GIL, which
// does not exist yet.
const char* bytesOf(const wchar_t* option, char** argv) {
    for (char** argument = argv; *argument != nullptr; argument++) {
        const char* candidate = std::strstr(*argument, "kiln");
        wchar_t* decoded = candidate != nullptr ? Py_DecodeLocale(candidate, nullptr) : nullptr;
        bool same = decoded != nullptr && std::wcscmp(decoded, option) == 0;
        PyMem_RawFree(decoded);
        if (same) {
            return candidate;
        }
    }
    return nullptr;
}

// What kiln must know of the command line before CPython is initialised. Its configuration is a copy for that
// purpose: one that was read before does not come out the same when it is read again, as the initialisation does.
PyStatus configureKiln(int argc, char** argv) {
    PyConfig python;
    PyConfig_InitPythonConfig(&python);
    PyStatus status = PyConfig_SetBytesArgv(&python, argc, argv);
    if (!PyStatus_Exception(status)) {
        status = PyConfig_Read(&python);
    }
    for (Py_ssize_t i = 0; !PyStatus_Exception(status) && i < python.xoptions.length; i++) {
        const wchar_t* option = python.xoptions.items[i];
        const char* bytes = std::wcsncmp(option, L"kiln", 4) == 0 ? bytesOf(option, argv) : nullptr;
        if (bytes != nullptr) {
            kiln::takeOption(bytes);
        }
    }
    if (!PyStatus_Exception(status) && !kiln::loadConfig(python.use_environment == 0 || getauxval(AT_SECURE) != 0)) {
        status = PyStatus_Exit(kUsageError);
    }
    useEnvironment = python.use_environment != 0;
    PyConfig_Clear(&python);
    return status;
}

// PYTHONHOME and a ._pth file go before kiln's own choice, as under python.
PyStatus setHome(PyConfig* python, const std::string& programName) {
    const char* wish = std::getenv("PYTHONHOME");
    if ((useEnvironment && wish != nullptr && *wish != '\0') || kiln::hasSearchPathFile(programName)) {
        return PyStatus_Ok();
    }
    std::string home = kiln::findPythonHome();
    return home.empty() ? PyStatus_Exit(kUsageError) : PyConfig_SetBytesString(python, &python->home, home.c_str());
}

kiln::PackageAudience audienceOf(std::string_view package) {
    const std::string& wish = kiln::config().numbaText;
    if (package != "numba") {
        return kiln::PackageAudience::kEveryone;
    }
    if (!kiln::config().enabled || wish == "0") {
        return kiln::PackageAudience::kNobody;
    }
    return wish == "1" ? kiln::PackageAudience::kEveryoneFirst : kiln::PackageAudience::kPrograms;
}

// Fills in the configuration, and initialises CPython from it.
PyStatus initialise(PyConfig* python, int argc, char** argv) {
    std::string launcher = kiln_executable_path();
    std::string programName = argc > 0 ? argv[0] : "";
    kiln::VirtualEnvironment environment = kiln::findVirtualEnvironment(programName, launcher);
    PyStatus status = PyConfig_SetBytesArgv(python, argc, argv);
    if (!PyStatus_Exception(status)) {
        status = setHome(python, programName);
    }
    if (!PyStatus_Exception(status)) {
        status = kiln::enterVirtualEnvironment(python, environment, launcher);
    }
    if (!PyStatus_Exception(status)) {
        status = Py_InitializeFromConfig(python);
    }
    if (!PyStatus_Exception(status)) {
        kiln::finishVirtualEnvironment(environment, launcher);
    }
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    PyStatus status = configureKiln(argc, argv);
    if (PyStatus_Exception(status)) {
        if (PyStatus_IsExit(status) && status.exitcode == 0 && kiln::asksForHelp(argc, argv)) {
            kiln::printHelp();
        }
        return exitOnStatus(status);
    }
    PyConfig python;
    PyConfig_InitPythonConfig(&python);
    status = initialise(&python, argc, argv);
    PyConfig_Clear(&python);
    if (PyStatus_Exception(status)) {
        return exitOnStatus(status);
    }
    kiln::setStatisticsSource(kiln::jitStatistics);
    kiln::addReportFunctions();
    kiln::addMeasurementFunctions();
    kiln::addKernelFunctions();
    if (!kiln::installEmbeddedPackages(kiln::kEmbeddedPackages, audienceOf)) {
        PyErr_Print();  // the program itself can run
    }
    if (kiln::config().reports && !kiln::startReport(kiln::config().reportText)) {
        return kUsageError;
    }
    if (kiln::config().enabled) {
        kiln::serveLiveReports();
    }
    if (kiln::config().jitOn) {
        kiln::startJit();
    }
    return Py_RunMain();
}
