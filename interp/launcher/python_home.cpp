#include "interp/launcher/python_home.h"

#include <patchlevel.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "interp/support/executable_path.h"

namespace kiln {
namespace {

// Where the CPython is that kiln was built on. What is made for other machines has kHidden before its last name
// (scripts/lib/builder_paths.py): volatile, so that the texts are in the program as they are.
const char* volatile builtHome = KILN_PYTHON_HOME;
const char* volatile builtExecHome = KILN_PYTHON_EXEC_HOME;
constexpr const char* kHidden = "//";

std::string folderOf(const std::string& path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string libraryUnder(const std::string& prefix) {
    return prefix + "/" KILN_PYTHON_PLATLIBDIR "/python" + std::to_string(PY_MAJOR_VERSION) + "." +
           std::to_string(PY_MINOR_VERSION);
}

bool holdsLibrary(const std::string& prefix) {
    std::string library = libraryUnder(prefix);
    return access((library + "/os.py").c_str(), R_OK) == 0 || access((library + "/os.pyc").c_str(), R_OK) == 0;
}

bool isFile(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool isForbidden(const std::string& prefix) {
    return access((libraryUnder(prefix) + "/os.py").c_str(), R_OK) != 0 && errno == EACCES;
}

void complainOfMissingLibrary(const std::string& beside, const std::string& built) {
    std::fputs("kiln: error: the standard library of Python " PY_VERSION, stderr);
    if (*kiln_executable_path() == '\0') {
        std::fputs(" cannot be found, for the system does not tell where kiln is: mount /proc\n", stderr);
    } else if (isForbidden(beside) || isForbidden(built)) {
        std::fprintf(stderr, ", in %s, may not be read by this user: who owns it has to let others into its folders\n",
                     libraryUnder(isForbidden(beside) ? beside : built).c_str());
    } else if (built.starts_with(kHidden)) {
        std::fprintf(stderr, " is not in %s: install kiln again, with all its files\n", libraryUnder(beside).c_str());
    } else {
        std::fprintf(stderr,
                     " is neither in %s nor in %s, which kiln was built on: install kiln again, with all its files, or run "
                     "scripts/run in a checkout to build it on a Python that is installed\n",
                     libraryUnder(beside).c_str(), libraryUnder(built).c_str());
    }
}

}  // namespace

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return name;
    }
    const char* path = std::getenv("PATH");
    std::string rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        size_t colon = rest.find(':');
        std::string candidate = rest.substr(0, colon) + "/" + name;
        if (isFile(candidate) && access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
        rest = colon == std::string::npos ? std::string() : rest.substr(colon + 1);
    }
    return std::string();
}

bool hasSearchPathFile(const std::string& programName) {
    return isFile(findProgram(programName) + "._pth") || isFile(std::string(kiln_executable_path()) + "._pth");
}

std::string findPythonHome() {
    std::string beside = folderOf(folderOf(kiln_executable_path()));
    if (!beside.empty() && holdsLibrary(beside)) {
        return beside;
    }
    std::string built = builtHome;
    std::string builtExec = builtExecHome;
    if (holdsLibrary(built)) {
        return built == builtExec ? built : built + ":" + builtExec;
    }
    complainOfMissingLibrary(beside, built);
    return std::string();
}

}  // namespace kiln
