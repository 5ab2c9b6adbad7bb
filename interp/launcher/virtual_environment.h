// The virtual environment that a start of kiln belongs to.
//
// python belongs to the environment whose bin folder it is started from. So does kiln, through a link there. A kiln
// that is started from elsewhere belongs to the active environment (VIRTUAL_ENV), as the python of that shell does.
#pragma once

#include <Python.h>

#include <string>

namespace kiln {

struct VirtualEnvironment {
    // "" when kiln belongs to none.
    std::string root;
    // bin/kiln of the active environment; "" when kiln was started inside of one, or belongs to none.
    std::string executable;
    // `executable` exists and is this kiln.
    bool linked = false;
};

// Decides for `programName` (argv[0]). May make the link bin/kiln in the active environment, if its owner runs kiln:
// with it sys.executable lies in the environment, where tools look beside it, and where child processes find the
// environment again.
VirtualEnvironment findVirtualEnvironment(const std::string& programName, const std::string& launcher);

// Tells CPython, before it is initialised.
[[nodiscard]] PyStatus enterVirtualEnvironment(PyConfig* config, const VirtualEnvironment& environment,
                                               const std::string& launcher);
// After the initialisation: without a link sys.executable is the launcher itself. Needs the GIL.
void finishVirtualEnvironment(const VirtualEnvironment& environment, const std::string& launcher);

}  // namespace kiln
