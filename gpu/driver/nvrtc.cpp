// NVRTC: finding it, and compiling with it.
#include "gpu/driver/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace kiln::gpu {
namespace {

enum Entry {
#define KILN_NVRTC(id, name, parameters) k##id,
#include "gpu/driver/nvrtc_functions.def"
#undef KILN_NVRTC
    kEntryCount
};

const char* const kNames[] = {
#define KILN_NVRTC(id, name, parameters) name,
#include "gpu/driver/nvrtc_functions.def"
#undef KILN_NVRTC
};

#define KILN_NVRTC(id, name, parameters) using id##Function = int(*) parameters;
#include "gpu/driver/nvrtc_functions.def"
#undef KILN_NVRTC

// Functions of a loaded library by name: call<VersionFunction>(functions[kVersion])(...).
template <typename Function, typename... Arguments>
int call(void* const* functions, Entry entry, Arguments... arguments) {
    return reinterpret_cast<Function>(functions[entry])(arguments...);
}

std::vector<std::string>& packageFolders() {
    static std::vector<std::string>& folders = *new std::vector<std::string>;
    return folders;
}

void addMatches(const std::string& pattern, std::vector<std::string>& out) {
    glob_t found;
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            out.push_back(found.gl_pathv[i]);
        }
    }
    globfree(&found);
}

std::vector<std::string> searchFolders() {
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && *value != '\0') {
            folders.push_back(std::string(value) + "/lib64");
            folders.push_back(std::string(value) + "/lib");
        }
    }
    for (const std::string& folder : packageFolders()) {
        addMatches(folder + "/nvidia/*/lib", folders);
    }
    folders.push_back("/usr/local/cuda/lib64");
    return folders;
}

// A place where a library may be, and the libraries there; the loader's own names have no folder.
struct Place {
    std::string folder;
    std::vector<std::string> paths;
};

std::string realPath(const std::string& path) {
    char* real = path.find('/') != std::string::npos ? realpath(path.c_str(), nullptr) : nullptr;
    std::string result = real != nullptr ? real : path;
    std::free(real);
    return result;
}

// A folder or library that has several names, through links, stands there once, under the first.
std::vector<Place> listPlaces() {
    std::vector<Place> list;
    std::set<std::string> seen;
    for (const std::string& folder : searchFolders()) {
        if (!seen.insert(realPath(folder)).second) {
            continue;
        }
        list.push_back({folder, {}});
        std::vector<std::string>& paths = list.back().paths;
        addMatches(folder + "/libnvrtc.so.1[23]*", paths);
        std::erase_if(paths, [&](const std::string& path) { return !seen.insert(realPath(path)).second; });
    }
    list.push_back({"the loader's path", {"libnvrtc.so.13", "libnvrtc.so.12"}});
    return list;
}

// A file as it is now: its name, size and time.
std::string identityOf(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) {
        return path + "\n";
    }
    return path + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtime) + "\n";
}

std::mutex searchMutex;

// The loader's words, without the name that the reader has before them; most of its names are just not there.
std::string loaderProblem(const std::string& path) {
    std::string text = dlerror();
    std::string name = path + ": ";
    bool isOwn = text.starts_with(name);
    bool isLoaderName = path.find('/') == std::string::npos;
    bool isAbsent = isOwn && isLoaderName && text.find(": No such file", name.size()) != std::string::npos;
    return isAbsent ? "not there" : isOwn ? text.substr(name.size()) : text;
}

}  // namespace

void setPackageFolders(const std::vector<std::string>& folders) {
    packageFolders() = folders;
}

// Libraries that do not open are remembered as such; those that do stay open.
const Nvrtc* Nvrtc::open(const std::string& path, std::string& problem) {
    struct Known {
        std::unique_ptr<Nvrtc> library;
        std::string problem;
    };
    static std::map<std::string, Known>& known = *new std::map<std::string, Known>;
    static_assert(kEntryCount <= std::size(decltype(functions_){}));
    auto [place, isNew] = known.try_emplace(realPath(path));
    Known& entry = place->second;
    if (isNew) {
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        std::unique_ptr<Nvrtc> loaded(new Nvrtc);
        loaded->path_ = path;
        entry.problem = library == nullptr ? loaderProblem(path) : "";
        for (int i = 0; i < kEntryCount && entry.problem.empty(); i++) {
            loaded->functions_[i] = dlsym(library, kNames[i]);
            entry.problem = loaded->functions_[i] == nullptr ? std::string("it has no ") + kNames[i] : "";
        }
        if (entry.problem.empty() && call<VersionFunction>(loaded->functions_, kVersion, &loaded->major_, &loaded->minor_) != 0) {
            entry.problem = "it does not tell its version";
        }
        entry.library = entry.problem.empty() ? std::move(loaded) : nullptr;
    }
    problem = entry.problem;
    return entry.library.get();
}

const Nvrtc* Nvrtc::at(const std::string& path) {
    std::string problem;
    std::lock_guard<std::mutex> lock(searchMutex);
    return open(path, problem);
}

std::vector<std::string> Nvrtc::folders() {
    std::vector<std::string> folders = searchFolders();
    folders.push_back("");
    return folders;
}

std::string Nvrtc::places() {
    const char* loader = std::getenv("LD_LIBRARY_PATH");
    std::string text = std::string("LD_LIBRARY_PATH=") + (loader != nullptr ? loader : "") + "\n" + identityOf("/etc/ld.so.cache");
    for (const Place& place : listPlaces()) {
        text += place.folder + "\n";
        for (const std::string& path : place.paths) {
            text += identityOf(path);
        }
    }
    return text;
}

bool Nvrtc::knows(int architecture) const {
    std::vector<int> known = architectures();
    return std::find(known.begin(), known.end(), architecture) != known.end();
}

// Whether this one is the better choice.
bool Nvrtc::goesBefore(const Nvrtc& other, int architecture) const {
    bool mine = knows(architecture);
    bool others = other.knows(architecture);
    return mine != others ? mine : major_ * 100 + minor_ > other.major_ * 100 + other.minor_;
}

const Nvrtc* Nvrtc::find(int architecture, int driverMajor, std::string& tried) {
    std::lock_guard<std::mutex> lock(searchMutex);
    const Nvrtc* best = nullptr;
    for (const Place& place : listPlaces()) {
        tried += "  " + place.folder + (place.paths.empty() ? ": nothing\n" : "\n");
        for (const std::string& path : place.paths) {
            std::string problem;
            const Nvrtc* library = open(path, problem);
            std::string version = library != nullptr ? "CUDA " + std::to_string(library->major_) + "." + std::to_string(library->minor_) : "";
            if (library != nullptr && driverMajor > 0 && library->major_ > driverMajor) {
                problem = version + ", newer than the driver, which supports CUDA " + std::to_string(driverMajor);
                library = nullptr;
            }
            tried += "    " + path + ": " + (library != nullptr ? version : problem) + "\n";
            best = library != nullptr && (best == nullptr || library->goesBefore(*best, architecture)) ? library : best;
        }
    }
    return best;
}

std::vector<int> Nvrtc::architectures() const {
    int count = 0;
    if (call<GetArchCountFunction>(functions_, kGetArchCount, &count) != 0) {
        return {};
    }
    std::vector<int> result(static_cast<size_t>(count));
    call<GetArchsFunction>(functions_, kGetArchs, result.data());
    return result;
}

// What a program was compiled to.
int Nvrtc::take(void* program, ImageKind kind, std::string& image) const {
    size_t size = 0;
    int status = kind == ImageKind::kPtx     ? call<GetPtxSizeFunction>(functions_, kGetPtxSize, program, &size)
                 : kind == ImageKind::kLtoIr ? call<GetLtoIrSizeFunction>(functions_, kGetLtoIrSize, program, &size)
                                             : call<GetCubinSizeFunction>(functions_, kGetCubinSize, program, &size);
    image.resize(size);
    return status != 0                 ? status
           : kind == ImageKind::kPtx   ? call<GetPtxFunction>(functions_, kGetPtx, program, image.data())
           : kind == ImageKind::kLtoIr ? call<GetLtoIrFunction>(functions_, kGetLtoIr, program, image.data())
                                       : call<GetCubinFunction>(functions_, kGetCubin, program, image.data());
}

bool Nvrtc::compile(const std::string& source, const std::string& name, const std::vector<std::string>& options, ImageKind kind,
                    std::string& image, std::string& log) const {
    void* program = nullptr;
    if (call<CreateProgramFunction>(functions_, kCreateProgram, &program, source.c_str(), name.c_str(), 0, nullptr, nullptr) != 0) {
        log = "NVRTC cannot make a program";
        return false;
    }
    std::vector<const char*> texts;
    for (const std::string& option : options) {
        texts.push_back(option.c_str());
    }
    int status = call<CompileProgramFunction>(functions_, kCompileProgram, program, static_cast<int>(texts.size()), texts.data());
    size_t size = 0;
    if (call<GetProgramLogSizeFunction>(functions_, kGetProgramLogSize, program, &size) == 0 && size > 1) {
        log.resize(size);
        call<GetProgramLogFunction>(functions_, kGetProgramLog, program, log.data());
        log.resize(size - 1);
    }
    status = status == 0 ? take(program, kind, image) : status;
    call<DestroyProgramFunction>(functions_, kDestroyProgram, &program);
    return status == 0;
}

}  // namespace kiln::gpu
