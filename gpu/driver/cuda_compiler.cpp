// A module of kernel IR as a cubin or PTX.
#include "gpu/driver/cuda_compiler.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "gpu/cuda/cuda_source.h"
#include "gpu/driver/cuda_driver.h"
#include "gpu/driver/kernel_cache.h"
#include "gpu/driver/nvrtc.h"

namespace kiln::gpu {
namespace {

std::vector<std::string> compilerOptions(const KernelOptions& options, int sm, bool ptx, const Nvrtc& nvrtc) {
    std::vector<std::string> list = {"--gpu-architecture=" + std::string(ptx ? "compute_" : "sm_") + std::to_string(sm),
                                     "--std=c++17", "-default-device"};
    if (nvrtc.major() > 12 || (nvrtc.major() == 12 && nvrtc.minor() >= 4)) {
        list.push_back("-minimal");
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

std::string cudaText(const Module& module, const KernelOptions& options) {
    CudaTextOptions text;
    std::memcpy(text.launchBounds, options.launchBounds, sizeof text.launchBounds);
    return writeCuda(module, text);
}

namespace {

// Found once for each architecture.
const Nvrtc* compiler(int sm, Failure& failure) {
    static std::mutex mutex;
    static std::map<int, const Nvrtc*>& known = *new std::map<int, const Nvrtc*>;
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = known.find(sm); found != known.end()) {
        return found->second;
    }
    std::string tried;
    const Nvrtc* nvrtc = Nvrtc::find(sm, driverCudaMajor(), tried);
    if (nvrtc == nullptr) {
        failure = {"CudaSupportError", "NVRTC (libnvrtc.so.12 or .13) was not found; tried:\n" + tried +
                                           "Install the CUDA toolkit or the package nvidia-cuda-nvrtc."};
    } else {
        known[sm] = nvrtc;
    }
    return nvrtc;
}

}  // namespace

bool findCompiler(int sm, Failure& failure) {
    return compiler(sm, failure) != nullptr;
}

bool compileCuda(const Module& module, const KernelOptions& options, int sm, bool ptx, std::string& image, bool& fromCache,
                 Failure& failure) {
    const Nvrtc* nvrtc = compiler(sm, failure);
    if (nvrtc == nullptr) {
        return false;
    }
    // A device newer than NVRTC: the driver compiles PTX for the newest architecture that NVRTC knows.
    std::vector<int> known = nvrtc->architectures();
    int newest = known.empty() ? sm : *std::max_element(known.begin(), known.end());
    ptx = ptx || sm > newest;
    std::vector<std::string> list = compilerOptions(options, std::min(sm, newest), ptx, *nvrtc);
    std::string text = cudaText(module, options);
    std::string key = "NVRTC " + std::to_string(nvrtc->major()) + "." + std::to_string(nvrtc->minor()) + "\n";
    for (const std::string& option : list) {
        key += option + "\n";
    }
    key += text;
    bool isCacheable = true;  // an address means something in this process only
    for (const auto& function : module.functions) {
        isCacheable = isCacheable && function->globals.empty();
    }
    fromCache = isCacheable && readCachedKernel(key, image);
    if (fromCache) {
        return true;
    }
    std::string log;
    if (!nvrtc->compile(text, module.kernel().name + ".cu", list, image, log)) {
        failure = {"NvrtcCompilationError", "kernel " + module.kernel().pythonName + " does not compile for sm_" +
                                                std::to_string(sm) + ":\n" + log};
        return false;
    }
    if (isCacheable) {
        writeCachedKernel(key, image);
    }
    return true;
}

}  // namespace kiln::gpu
