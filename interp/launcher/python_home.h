// Where the standard library of the CPython inside kiln is.
#pragma once

#include <string>

namespace kiln {

// The file that a program name (argv[0]) stands for: python's rule, a path as it is and a bare name along PATH.
std::string findProgram(const std::string& name);

// Whether a file PROGRAM._pth, beside the program as it was started or as it is, tells sys.path in full. CPython looks for
// it only where no home is set.
bool hasSearchPathFile(const std::string& programName);

// The value for PyConfig.home: the folder above kiln's own when kiln is laid out like an installed Python (bin/kiln
// beside lib/python3.12), else the prefix of the CPython that kiln was built on. Never one found by searching, as
// python would do: another 3.12's library does not fit the extension modules inside. "" with the remedy on stderr
// when there is none.
std::string findPythonHome();

}  // namespace kiln
