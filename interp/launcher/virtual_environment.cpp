#include "interp/launcher/virtual_environment.h"

#include <patchlevel.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "interp/launcher/python_home.h"

namespace kiln {
namespace {

bool isFile(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool isFolder(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string folderOf(const std::string& path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string(".") : path.substr(0, slash);
}

// The environment whose bin folder holds `program`, links not followed; "" for none. site.py decides by the same files.
std::string environmentAround(const std::string& program) {
    if (program.empty()) {
        return std::string();
    }
    std::string folder = folderOf(program);
    if (isFile(folder + "/pyvenv.cfg")) {
        return folder;
    }
    return isFile(folder + "/../pyvenv.cfg") ? folder + "/.." : std::string();
}

// The active environment, if its packages are for this version of Python; else "".
std::string activeEnvironment() {
    const char* root = std::getenv("VIRTUAL_ENV");
    if (root == nullptr || *root != '/' || getauxval(AT_SECURE) != 0) {
        return std::string();
    }
    std::string packages = std::string(root) + "/lib/python" + std::to_string(PY_MAJOR_VERSION) + "." +
                           std::to_string(PY_MINOR_VERSION) + "/site-packages";
    bool usable = isFile(std::string(root) + "/pyvenv.cfg") && isFolder(packages);
    return usable ? std::string(root) : std::string();
}

bool resolvesTo(const std::string& link, const std::string& launcher) {
    char resolved[PATH_MAX];
    return realpath(link.c_str(), resolved) != nullptr && launcher == resolved;
}

// True when bin/kiln is there and is this kiln, also after making it. One that is another kiln is left alone.
bool ensureLink(const std::string& root, const std::string& launcher) {
    std::string bin = root + "/bin";
    std::string link = bin + "/kiln";
    struct stat info;
    if (lstat(link.c_str(), &info) == 0) {
        bool dangling = S_ISLNK(info.st_mode) && stat(link.c_str(), &info) != 0;
        if (!dangling) {
            return resolvesTo(link, launcher);
        }
    }
    if (stat(bin.c_str(), &info) != 0 || info.st_uid != geteuid()) {
        return false;
    }
    std::string fresh =
        link + "." + std::to_string(getpid());  // renamed, so that starts at the same time cannot collide
    if (symlink(launcher.c_str(), fresh.c_str()) != 0) {
        return false;
    }
    if (rename(fresh.c_str(), link.c_str()) != 0) {
        unlink(fresh.c_str());
        return false;
    }
    return true;
}

}  // namespace

VirtualEnvironment findVirtualEnvironment(const std::string& programName, const std::string& launcher) {
    VirtualEnvironment environment;
    environment.root = environmentAround(findProgram(programName));
    if (!environment.root.empty()) {
        return environment;
    }
    environment.root = activeEnvironment();
    if (!environment.root.empty()) {
        environment.executable = environment.root + "/bin/kiln";
        environment.linked = ensureLink(environment.root, launcher);
    }
    return environment;
}

PyStatus enterVirtualEnvironment(PyConfig* config, const VirtualEnvironment& environment, const std::string& launcher) {
    if (environment.root.empty() || launcher.empty()) {
        return PyStatus_Ok();
    }
    PyStatus status = PyConfig_SetBytesString(config, &config->base_executable, launcher.c_str());
    if (!PyStatus_Exception(status) && !environment.executable.empty()) {
        status = PyConfig_SetBytesString(config, &config->executable, environment.executable.c_str());
    }
    return status;
}

void finishVirtualEnvironment(const VirtualEnvironment& environment, const std::string& launcher) {
    if (environment.executable.empty() || environment.linked) {
        return;
    }
    PyObject* executable = PyUnicode_DecodeFSDefault(launcher.c_str());
    if (executable == nullptr || PySys_SetObject("executable", executable) != 0) {
        PyErr_Clear();  // no memory: the name of a link that is not there stays
    }
    Py_XDECREF(executable);
}

}  // namespace kiln
