// NVRTC: finding it, and compiling with it.
#include "gpu/driver/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>

#include <cstdlib>
#include <mutex>

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
    static std::vector<std::string> folders;
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

// All libraries worth trying, with full paths; then the loader's own names.
std::vector<std::string> candidates(std::string& tried) {
    std::vector<std::string> paths;
    for (const std::string& folder : searchFolders()) {
        tried += folder + "\n";
        addMatches(folder + "/libnvrtc.so.1[23]*", paths);
    }
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
        tried += std::string(name) + " (the loader's path)\n";
        paths.push_back(name);
    }
    return paths;
}

}  // namespace

void setPackageFolders(const std::vector<std::string>& folders) {
    packageFolders() = folders;
}

const Nvrtc* Nvrtc::find(std::string& tried) {
    static std::mutex mutex;
    static Nvrtc* best = nullptr;
    std::lock_guard<std::mutex> lock(mutex);
    if (best != nullptr) {
        return best;
    }
    static_assert(kEntryCount <= std::size(decltype(functions_){}));
    for (const std::string& path : candidates(tried)) {
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            continue;
        }
        Nvrtc loaded;
        loaded.path_ = path;
        bool complete = true;
        for (int i = 0; i < kEntryCount; i++) {
            loaded.functions_[i] = dlsym(library, kNames[i]);
            complete = complete && loaded.functions_[i] != nullptr;
        }
        if (!complete || call<VersionFunction>(loaded.functions_, kVersion, &loaded.major_, &loaded.minor_) != 0) {
            continue;
        }
        bool newer = best == nullptr || loaded.major_ * 100 + loaded.minor_ > best->major_ * 100 + best->minor_;
        if (newer) {
            delete best;
            best = new Nvrtc(loaded);
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

bool Nvrtc::compile(const std::string& source, const std::string& name, const std::vector<std::string>& options,
                    std::string& image, std::string& log) const {
    void* program = nullptr;
    if (call<CreateProgramFunction>(functions_, kCreateProgram, &program, source.c_str(), name.c_str(), 0, nullptr, nullptr) != 0) {
        log = "NVRTC cannot make a program";
        return false;
    }
    std::vector<const char*> texts;
    bool ptx = false;
    for (const std::string& option : options) {
        texts.push_back(option.c_str());
        ptx = ptx || option.find("compute_") != std::string::npos;
    }
    int status = call<CompileProgramFunction>(functions_, kCompileProgram, program, static_cast<int>(texts.size()), texts.data());
    size_t size = 0;
    if (call<GetProgramLogSizeFunction>(functions_, kGetProgramLogSize, program, &size) == 0 && size > 1) {
        log.resize(size);
        call<GetProgramLogFunction>(functions_, kGetProgramLog, program, log.data());
        log.resize(size - 1);
    }
    if (status == 0) {
        status = ptx ? call<GetPtxSizeFunction>(functions_, kGetPtxSize, program, &size)
                     : call<GetCubinSizeFunction>(functions_, kGetCubinSize, program, &size);
        image.resize(size);
        status = status != 0 ? status
                 : ptx ? call<GetPtxFunction>(functions_, kGetPtx, program, image.data())
                       : call<GetCubinFunction>(functions_, kGetCubin, program, image.data());
    }
    call<DestroyProgramFunction>(functions_, kDestroyProgram, &program);
    return status == 0;
}

}  // namespace kiln::gpu
