// A module of kernel IR as a cubin, PTX or LTO-IR.
#include "gpu/driver/cuda_compiler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "gpu/cuda/cuda_source.h"
#include "gpu/driver/cuda_driver.h"
#include "gpu/driver/kernel_cache.h"
#include "gpu/driver/library_scope.h"
#include "gpu/driver/linker.h"
#include "gpu/driver/nvrtc.h"
#include "gpu/ir/narrow_launch.h"
#include "gpu/ir/pair_blocks.h"

namespace kiln::gpu {
namespace {

std::vector<std::string> compilerOptions(const KernelOptions& options, int sm, ImageKind kind, bool isLinked, int major, int minor) {
    std::vector<std::string> list = {"--gpu-architecture=" + std::string(kind == ImageKind::kPtx ? "compute_" : "sm_") + std::to_string(sm),
                                     "--std=c++17", "-default-device"};
    if (major > 12 || (major == 12 && minor >= 4)) {
        list.push_back("-minimal");
    }
    if (options.isDevice || isLinked) {
        list.push_back("--relocatable-device-code=true");  // else nothing is left of what no kernel calls
    }
    if (kind == ImageKind::kLtoIr) {
        list.push_back("-dlto");
    }
    if (options.fastmath) {
        list.push_back("--use_fast_math");
    }
    if (options.lineinfo && !options.debug) {
        list.push_back("-lineinfo");
    }
    if (options.debug && !options.optimise) {
        list.push_back("-G");
    }
    if (options.maxRegisters > 0) {
        list.push_back("--maxrregcount=" + std::to_string(options.maxRegisters));
    }
    return list;
}

}  // namespace

// Other code may be passed arrays of its own, and where faults are looked for, all launches leave them in one place. What tells of blocks and
// registers is said of the program's blocks.
bool hasForm(const Module& module, const KernelOptions& options, CudaForm form) {
    bool isOrdinary = module.links.empty() && module.faults.empty() && !options.isDevice && !options.debug && canBeNarrow(module);
    bool isPairable = module.links.empty() && !options.isDevice && !options.debug && options.maxRegisters == 0 && options.launchBounds[0] == 0;
    if ((form.isNarrow && !isOrdinary) || (form.inPairs && !isPairable)) {
        return false;
    }
    return !form.inPairs || (form.isNarrow ? pairBlocks(narrowed(module)) : pairBlocks(module)) != nullptr;
}

std::string cudaText(const Module& module, const KernelOptions& options, CudaForm form) {
    CudaTextOptions text;
    text.isNarrow = form.isNarrow;
    text.inPairs = form.inPairs;
    std::memcpy(text.launchBounds, options.launchBounds, sizeof text.launchBounds);
    return form.isNarrow ? writeCuda(narrowed(module), text) : writeCuda(module, text);
}

namespace {

// The NVRTC for an architecture. It is opened when something must be compiled: that takes longer than all else that a launch
// from the cache does, so the choice itself is cached, too.
struct Compiler {
    std::string path;
    int major = 0;
    int minor = 0;
    int newest = 0;  // architecture that it knows
    const Nvrtc* library = nullptr;

    std::string text() const {
        return std::to_string(major) + " " + std::to_string(minor) + " " + std::to_string(newest) + " " + path;
    }
    bool parse(const std::string& text) {
        int used = 0;
        bool sound = std::sscanf(text.c_str(), "%d %d %d %n", &major, &minor, &newest, &used) == 3 && used > 0;
        path = sound ? text.substr(static_cast<size_t>(used)) : "";
        return sound;
    }
};

bool search(int sm, Compiler& compiler, Failure& failure) {
    std::string tried;
    compiler.library = Nvrtc::find(sm, driverCudaMajor(), tried);
    if (compiler.library == nullptr) {
        failure = {"CudaSupportError", "NVRTC (libnvrtc.so.12 or .13) was not found; tried:\n" + tried +
                                           "Install the CUDA toolkit or the package nvidia-cuda-nvrtc."};
        return false;
    }
    std::vector<int> known = compiler.library->architectures();
    compiler.path = compiler.library->path();
    compiler.major = compiler.library->major();
    compiler.minor = compiler.library->minor();
    compiler.newest = known.empty() ? sm : *std::max_element(known.begin(), known.end());
    return true;
}

// Found once for each architecture. nullptr with a failure. Thread-safe; what it points to stays. In a LibraryScope.
Compiler* compilerFor(int sm, Failure& failure) {
    if (areLibrariesCutOff()) {
        failure = cutOffFailure();
        return nullptr;
    }
    static std::mutex mutex;
    static std::map<int, Compiler>& found = *new std::map<int, Compiler>;
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = found.find(sm); known != found.end()) {
        return &known->second;
    }
    Compiler compiler;
    std::string key = "compiler for sm_" + std::to_string(sm) + ", CUDA " + std::to_string(driverCudaMajor()) + "\n" + Nvrtc::places();
    std::string text;
    if (!readCachedKernel(key, text, kCompilerSuffix) || !compiler.parse(text)) {
        if (!search(sm, compiler, failure)) {
            return nullptr;
        }
        writeCachedKernel(key, compiler.text(), kCompilerSuffix);
    }
    return &found.emplace(sm, compiler).first->second;
}

// NVRTC takes and frees some megabytes for each kernel, in small blocks. What is free at the end of the heap goes back to the
// system at once, and comes page by page the next time, which is a tenth of the time to compile: glibc keeps more of it
// when it has seen a large block freed.
void keepFreedMemory() {
    constexpr size_t kLargest = (32 << 20) - (64 << 10);  // that glibc learns from
    void* volatile block = std::malloc(kLargest);         // which the compiler would leave out
    std::free(block);
}

// The library itself.
const Nvrtc* opened(Compiler& compiler, int sm, Failure& failure) {
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    static std::once_flag once;
    std::call_once(once, keepFreedMemory);
    if (compiler.library == nullptr) {
        compiler.library = Nvrtc::at(compiler.path);
        bool same = compiler.library != nullptr && compiler.library->major() == compiler.major && compiler.library->minor() == compiler.minor;
        if (!same && !search(sm, compiler, failure)) {
            return nullptr;
        }
    }
    return compiler.library;
}

// The text as it is wherever its kernel stands: without what tells of places.
std::string placeless(const std::string& text) {
    std::string out;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        if (text.compare(begin, 6, "#line ") != 0) {
            out.append(text, begin, end - begin);
        }
        begin = end;
    }
    return out;
}

}  // namespace

bool findCompiler(int sm, Failure& failure) {
    LibraryScope scope;
    return compilerFor(sm, failure) != nullptr;
}

const Nvrtc* openCompiler(int sm, Failure& failure) {
    Compiler* compiler = compilerFor(sm, failure);
    return compiler != nullptr ? opened(*compiler, sm, failure) : nullptr;
}

bool compileCuda(const Module& module, const KernelOptions& options, int sm, ImageKind kind, CudaForm form, std::string& image, bool& fromCache,
                 Failure& failure) {
    LibraryScope scope;
    Compiler* compiler = compilerFor(sm, failure);
    if (compiler == nullptr) {
        return false;
    }
    bool isLinked = !module.links.empty() && kind == ImageKind::kCubin;
    if (isLinked && sm > compiler->newest) {
        failure = {"CudaSupportError", "kernel " + module.kernel().pythonName + " is linked with other code, and this NVRTC does not know sm_" +
                                           std::to_string(sm) + "; a newer one is needed"};
        return false;
    }
    std::string text = cudaText(module, options, form);
    // A device newer than NVRTC: the driver compiles PTX for the newest architecture that NVRTC knows.
    kind = kind == ImageKind::kCubin && sm > compiler->newest ? ImageKind::kPtx : kind;
    std::vector<std::string> list = compilerOptions(options, std::min(sm, compiler->newest), kind, isLinked, compiler->major, compiler->minor);
    std::string key = "NVRTC " + std::to_string(compiler->major) + "." + std::to_string(compiler->minor) + "\n";
    for (const std::string& option : list) {
        key += option + "\n";
    }
    key += options.lineinfo || options.debug ? text : placeless(text);
    for (const LinkedCode& code : module.links) {
        key += isLinked ? "linked " + code.kind + " " + std::to_string(code.bytes.size()) + "\n" + code.bytes : "";
    }
    bool isCacheable = true;  // an address means something in this process only
    for (const auto& function : module.functions) {
        isCacheable = isCacheable && function->globals.empty();
    }
    fromCache = isCacheable && readCachedKernel(key, image);
    if (fromCache) {
        return true;
    }
    std::string log;
    const Nvrtc* nvrtc = opened(*compiler, sm, failure);
    if (nvrtc == nullptr) {
        return false;
    }
    if (!nvrtc->compile(text, module.kernel().name + ".cu", list, kind, image, log)) {
        failure = {"NvrtcCompilationError", "kernel " + module.kernel().pythonName + " does not compile for sm_" +
                                                std::to_string(sm) + ":\n" + log};
        return false;
    }
    if (isLinked && !linkCubin(*nvrtc, sm, std::string(image), module.links, image, failure)) {
        return false;
    }
    if (isCacheable) {
        writeCachedKernel(key, image);
    }
    return true;
}

bool compileAllForms(const Module& module, const KernelOptions& options, int sm, Failure& failure) {
    for (CudaForm form : {CudaForm{}, CudaForm{true, false}, CudaForm{false, true}, CudaForm{true, true}}) {
        std::string image;
        bool fromCache = false;
        if (hasForm(module, options, form) && !compileCuda(module, options, sm, ImageKind::kCubin, form, image, fromCache, failure)) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln::gpu
