#include "interp/launcher/python_home.h"

#include <patchlevel.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

namespace kiln {
namespace {

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
    return isFile(findProgram(programName) + "._pth") || isFile(launcherPath() + "._pth");
}

std::string launcherPath() {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

std::string findPythonHome() {
    std::string beside = folderOf(folderOf(launcherPath()));
    if (!beside.empty() && holdsLibrary(beside)) {
        return beside;
    }
    std::string built = KILN_PYTHON_HOME;
    if (holdsLibrary(built)) {
        return built == KILN_PYTHON_EXEC_HOME ? built : built + ":" + KILN_PYTHON_EXEC_HOME;
    }
    std::fprintf(stderr,
                 "kiln: the standard library of Python " PY_VERSION
                 " is neither in %s nor in %s: unpack kiln again as a "
                 "whole, or run scripts/run to build it on a Python that is installed\n",
                 libraryUnder(beside).c_str(), libraryUnder(built).c_str());
    return std::string();
}

}  // namespace kiln
