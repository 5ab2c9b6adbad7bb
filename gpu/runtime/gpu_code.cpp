// Machine code of one form of a kernel: made, loaded, unloaded.
#include "gpu/runtime/gpu_code.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "gpu/cuda/cuda_source.h"
#include "interp/config.h"

namespace kiln::gpu {
namespace {

constexpr int kDynamicByDefault = 48 << 10;

}  // namespace

GpuCode::GpuCode(GpuDevice& device, const std::string& name)
    : device_(device), name_(name), owner_(getpid()), dynamicAllowed_(kDynamicByDefault) {}

int GpuCode::loadModule(const std::string& image, bool asLibrary) {
    const CudaDriver& driver = device_.driver();
    if (!asLibrary) {
        return driver.ModuleLoadData(&module_, image.data());
    }
    int status = driver.LibraryLoadData(&library_, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    return status != 0 ? status : driver.LibraryGetModule(&module_, library_);
}

std::unique_ptr<GpuCode> GpuCode::make(GpuDevice& device, const Module& module, const KernelOptions& options, CudaForm form, bool& fromCache,
                                       Failure& failure) {
    if (config().dumpText.find("cuda") != std::string::npos) {
        std::fputs(cudaText(module, options, form).c_str(), stderr);
    }
    std::string image;
    if (!compileCuda(module, options, device.architecture(), ImageKind::kCubin, form, image, fromCache, failure)) {
        return nullptr;
    }
    std::unique_ptr<GpuCode> code(new GpuCode(device, module.kernel().pythonName));
    const CudaDriver& driver = device.driver();
    device.enter();
    bool isWatched = std::any_of(module.links.begin(), module.links.end(), [](const LinkedCode& linked) { return linked.isWatched; });
    int status = code->loadModule(image, isWatched);
    if (status == 0) {
        status = driver.ModuleGetFunction(&code->function_, code->module_, cudaName(module, form.inPairs).c_str());
    }
    size_t bytes = 0;
    if (status == 0 && !module.faults.empty()) {
        status = driver.ModuleGetGlobal(&code->fault_, &bytes, code->module_, "kiln_fault");
    }
    failure = device.check(status, "loading kernel " + code->name_);
    if (failure) {
        return nullptr;
    }
    if (options.carveout != kNoCarveout) {  // a wish, which not all devices have an ear for
        driver.FuncSetAttribute(code->function_, kFunctionCarveout, options.carveout);
    }
    driver.FuncGetAttribute(&code->mostThreads_, kFunctionThreads, code->function_);
    driver.FuncGetAttribute(&code->registers_, kFunctionRegisters, code->function_);
    driver.FuncGetAttribute(&code->sharedBytes_, kFunctionShared, code->function_);
    return code;
}

// In a forked child the module is the parent's: nothing of it may be touched.
GpuCode::~GpuCode() {
    if ((module_ == nullptr && library_ == nullptr) || getpid() != owner_) {
        return;
    }
    ContextScope scope(device_);
    const CudaDriver& driver = device_.driver();
    device_.afterWork([&driver, library = library_, module = module_] {
        library != nullptr ? driver.LibraryUnload(library) : driver.ModuleUnload(module);
    });
}

Failure GpuCode::checkLimits(const LaunchShape& shape) {
    if (shape.threads() > mostThreads_) {
        return {"CudaAPIError", "kernel " + name_ + " uses " + std::to_string(registers_) +
                                    " registers a thread, so that a block can have " + std::to_string(mostThreads_) +
                                    " threads, and not " + std::to_string(shape.threads()) +
                                    "; max_registers limits them, and launch_bounds the threads", kOutOfResources};
    }
    return shape.dynamicBytes > 0 ? allowDynamic(shape.dynamicBytes) : Failure();
}

Failure GpuCode::allowDynamic(int64_t bytes) {
    int most = device_.dynamicSharedMost() - sharedBytes_;
    if (bytes > most) {
        return {"CudaAPIError", "kernel " + name_ + ": " + std::to_string(bytes) +
                                    " bytes of dynamic shared memory are too many; " + std::to_string(most) +
                                    " are left on this GPU", kInvalidValue};
    }
    if (bytes <= dynamicAllowed_) {
        return {};
    }
    int status = device_.driver().FuncSetAttribute(function_, kFunctionDynamicShared, static_cast<int>(bytes));
    dynamicAllowed_ = static_cast<int>(bytes);
    return device_.check(status, "asking for dynamic shared memory");
}

}  // namespace kiln::gpu
