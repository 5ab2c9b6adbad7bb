// Linking of machine code.
#include "gpu/driver/linker.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
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

// `sizeOf` and `read`: of the errors, or of what else the linker says.
std::string logOf(void* link, int (*sizeOf)(void*, size_t*), int (*read)(void*, char*)) {
    size_t size = 0;
    std::string log;
    if (sizeOf(link, &size) == 0 && size > 1) {
        log.resize(size);
        read(link, log.data());
        log.resize(size - 1);
    }
    return log;
}

bool add(const Linker& linker, void* link, const std::string& kind, const std::string& bytes, const std::string& name) {
    auto type = inputTypes().find(kind);
    return type != inputTypes().end() &&
           linker.AddData(link, type->second, bytes.data(), bytes.size(), name.c_str()) == 0;
}

std::string resultOf(const Linker& linker, void* link, bool asPtx) {
    size_t size = 0;
    if ((asPtx ? linker.GetPtxSize(link, &size) : linker.GetCubinSize(link, &size)) != 0) {
        return "";
    }
    std::string image(size, '\0');
    return (asPtx ? linker.GetPtx(link, image.data()) : linker.GetCubin(link, image.data())) == 0 ? image : "";
}

}  // namespace

bool compileText(const Nvrtc& nvrtc, int sm, const LinkedCode& code, ImageKind kind, const std::vector<std::string>& more, std::string& image,
                 Failure& failure) {
    std::vector<std::string> options = {"--gpu-architecture=sm_" + std::to_string(sm), "--std=c++17", "--relocatable-device-code=true"};
    options.insert(options.end(), more.begin(), more.end());
    if (kind != ImageKind::kCubin) {
        options[0] = "--gpu-architecture=compute_" + std::to_string(sm);
    }
    if (kind == ImageKind::kLtoIr) {
        options.push_back("-dlto");
    }
    size_t slash = nvrtc.path().rfind('/');
    if (slash != std::string::npos) {
        const std::string include = "-I" + nvrtc.path().substr(0, slash) + "/../include";
        options.insert(options.end(), {include, include + "/cccl"});  // cooperative_groups.h asks for libcu++, which CUDA 13 keeps there
    }
    const char* paths = std::getenv("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS");
    std::string list = paths != nullptr ? paths : "";
    for (size_t begin = 0; begin < list.size();) {
        size_t end = std::min(list.find(':', begin), list.size());
        options.push_back("-I" + list.substr(begin, end - begin));
        begin = end + 1;
    }
    std::string log;
    if (!nvrtc.compile(code.bytes, code.name, options, kind, image, log)) {
        failure = {"NvrtcCompilationError", code.name + " does not compile for sm_" + std::to_string(sm) + ":\n" + log};
    }
    return !failure;
}

bool linkPieces(const Nvrtc& nvrtc, int sm, const std::vector<LinkedCode>& pieces, const LinkWishes& wishes, std::string& image,
                Failure& failure, std::string* log) {
    std::string tried;
    const Linker* linker = linkerOf(nvrtc, tried);
    if (linker == nullptr) {
        failure = {"CudaSupportError", "nvJitLink, which links " + wishes.what + " with other code, was not found; tried:\n" + tried +
                                           "Install the CUDA toolkit or the package nvidia-nvjitlink."};
        return false;
    }
    std::vector<std::string> options = {"-arch=sm_" + std::to_string(sm)};
    options.insert(options.end(), wishes.options.begin(), wishes.options.end());
    if (std::any_of(pieces.begin(), pieces.end(), [](const LinkedCode& code) { return code.kind == "ltoir"; })) {
        options.push_back("-lto");
    }
    if (wishes.asPtx) {
        options.push_back("-ptx");
    }
    std::vector<const char*> texts;
    for (const std::string& option : options) {
        texts.push_back(option.c_str());
    }
    void* link = nullptr;
    if (linker->Create(&link, static_cast<unsigned>(texts.size()), texts.data()) != 0) {
        failure = {"LinkerError", "nvJitLink does not link for sm_" + std::to_string(sm) + " with these options"};
        return false;
    }
    auto rejected = std::find_if(pieces.begin(), pieces.end(),
                                 [&](const LinkedCode& code) { return !add(*linker, link, code.kind, code.bytes, code.name); });
    if (rejected == pieces.end() && linker->Complete(link) == 0) {
        image = resultOf(*linker, link, wishes.asPtx);
    } else {
        image.clear();
    }
    if (image.empty()) {
        failure = {"LinkerError", (rejected == pieces.end() ? wishes.what + " cannot be linked"
                                                            : rejected->name + " cannot be linked to " + wishes.what) +
                                      ":\n" + logOf(link, linker->GetErrorLogSize, linker->GetErrorLog)};
    }
    if (log != nullptr) {
        *log = logOf(link, linker->GetInfoLogSize, linker->GetInfoLog);
    }
    linker->Destroy(&link);
    return !failure;
}

bool linkCubin(const Nvrtc& nvrtc, int sm, const std::string& object, const std::vector<LinkedCode>& links, std::string& image,
               Failure& failure) {
    std::vector<LinkedCode> pieces = {{"cubin", "kernel", object}};
    for (const LinkedCode& code : links) {
        pieces.push_back(code);
        if (code.kind == "cu") {
            pieces.back().kind = "cubin";
            if (!compileText(nvrtc, sm, code, ImageKind::kCubin, {}, pieces.back().bytes, failure)) {
                return false;
            }
        }
    }
    return linkPieces(nvrtc, sm, pieces, {"the kernel", {}, false}, image, failure);
}

}  // namespace kiln::gpu
