// Linking of machine code.
#include "gpu/driver/linker.h"

#include <dlfcn.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

namespace kiln::gpu {
namespace {

struct Linker {
#define KILN_LINKER(id, name, parameters) int(*id) parameters = nullptr;
#include "gpu/driver/linker_functions.def"
#undef KILN_LINKER
};

// nvJitLinkInputType by the ending of a file's name.
const std::map<std::string, int>& inputTypes() {
    static const std::map<std::string, int>& kTypes = *new std::map<std::string, int>{{"cubin", 1},  {"ptx", 2}, {"ltoir", 3},
                                                      {"fatbin", 4}, {"o", 5},   {"a", 6}};
    return kTypes;
}

bool open(const std::string& path, Linker& linker) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    bool isWhole = library != nullptr;
#define KILN_LINKER(id, name, parameters)                                                        \
    linker.id = isWhole ? reinterpret_cast<decltype(linker.id)>(dlsym(library, name)) : nullptr; \
    isWhole = isWhole && linker.id != nullptr;
#include "gpu/driver/linker_functions.def"
#undef KILN_LINKER
    return isWhole;
}

// That of NVRTC's major version: beside NVRTC, where NVRTC is looked for, on the loader's path. nullptr when there is none.
const Linker* linkerOf(const Nvrtc& nvrtc, std::string& tried) {
    static std::mutex mutex;
    static std::map<int, Linker>& opened = *new std::map<int, Linker>;
    std::lock_guard<std::mutex> lock(mutex);
    auto known = opened.find(nvrtc.major());
    if (known != opened.end()) {
        return &known->second;
    }
    std::string file = "libnvJitLink.so." + std::to_string(nvrtc.major());
    std::vector<std::string> folders = Nvrtc::folders();
    folders.insert(folders.begin(), nvrtc.path().substr(0, nvrtc.path().rfind('/') + 1));
    for (const std::string& folder : folders) {
        std::string path = folder + (folder.empty() || folder.back() == '/' ? "" : "/") + file;
        Linker linker;
        if (open(path, linker)) {
            return &opened.emplace(nvrtc.major(), linker).first->second;
        }
        tried += "  " + path + "\n";
    }
    return nullptr;
}

std::string logOf(const Linker& linker, void* link) {
    size_t size = 0;
    std::string log;
    if (linker.GetLogSize(link, &size) == 0 && size > 1) {
        log.resize(size);
        linker.GetLog(link, log.data());
        log.resize(size - 1);
    }
    return log;
}

// CUDA C++ as relocatable machine code. Headers are looked for beside NVRTC, and where numba looks for them.
bool compileSource(const Nvrtc& nvrtc, int sm, const LinkedCode& code, std::string& object, Failure& failure) {
    std::vector<std::string> options = {"--gpu-architecture=sm_" + std::to_string(sm), "--std=c++17",
                                        "--relocatable-device-code=true"};
    size_t slash = nvrtc.path().rfind('/');
    if (slash != std::string::npos) {
        options.push_back("-I" + nvrtc.path().substr(0, slash) + "/../include");
    }
    const char* more = std::getenv("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS");
    std::string list = more != nullptr ? more : "";
    for (size_t begin = 0; begin < list.size();) {
        size_t end = std::min(list.find(':', begin), list.size());
        options.push_back("-I" + list.substr(begin, end - begin));
        begin = end + 1;
    }
    std::string log;
    if (!nvrtc.compile(code.bytes, code.name, options, ImageKind::kCubin, object, log)) {
        failure = {"NvrtcCompilationError", code.name + " does not compile for sm_" + std::to_string(sm) + ":\n" + log};
    }
    return !failure;
}

bool add(const Linker& linker, void* link, const std::string& kind, const std::string& bytes, const std::string& name) {
    auto type = inputTypes().find(kind);
    return type != inputTypes().end() &&
           linker.AddData(link, type->second, bytes.data(), bytes.size(), name.c_str()) == 0;
}

}  // namespace

bool linkCubin(const Nvrtc& nvrtc, int sm, const std::string& object, const std::vector<LinkedCode>& links,
               std::string& image, Failure& failure) {
    std::string tried;
    const Linker* linker = linkerOf(nvrtc, tried);
    if (linker == nullptr) {
        failure = {"CudaSupportError", "nvJitLink, which links kernels with other code, was not found; tried:\n" +
                                           tried + "Install the CUDA toolkit or the package nvidia-nvjitlink."};
        return false;
    }
    std::string architecture = "-arch=sm_" + std::to_string(sm);
    std::vector<const char*> options = {architecture.c_str()};
    for (const LinkedCode& code : links) {
        if (code.kind == "ltoir" && options.size() == 1) {
            options.push_back("-lto");
        }
    }
    void* link = nullptr;
    if (linker->Create(&link, static_cast<unsigned>(options.size()), options.data()) != 0) {
        failure = {"LinkerError", "nvJitLink does not link for sm_" + std::to_string(sm)};
        return false;
    }
    std::string rejected = add(*linker, link, "cubin", object, "kernel") ? "" : "the kernel";
    for (const LinkedCode& code : links) {
        std::string compiled;
        bool isSource = code.kind == "cu";
        if (failure || !rejected.empty() || (isSource && !compileSource(nvrtc, sm, code, compiled, failure))) {
            break;
        }
        rejected = add(*linker, link, isSource ? "cubin" : code.kind, isSource ? compiled : code.bytes, code.name)
                       ? ""
                       : code.name;
    }
    size_t size = 0;
    bool done = !failure && rejected.empty() && linker->Complete(link) == 0 && linker->GetCubinSize(link, &size) == 0;
    image.resize(size);
    done = done && linker->GetCubin(link, image.data()) == 0;
    if (!done && !failure) {
        failure = {"LinkerError",
                   (rejected.empty() ? "the kernel cannot be linked" : rejected + " cannot be linked to the kernel") +
                       std::string(":\n") + logOf(*linker, link)};
    }
    linker->Destroy(&link);
    return done;
}

}  // namespace kiln::gpu
