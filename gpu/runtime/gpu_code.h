// Machine code of one form of a kernel, on one GPU.
#pragma once

#include <sys/types.h>

#include <memory>

#include "gpu/driver/cuda_compiler.h"
#include "gpu/runtime/gpu_device.h"

namespace kiln::gpu {

// Unloaded at its end, in the process that loaded it.
class GpuCode {
public:
    // Compiled, or from the cache, and loaded. nullptr with `failure`. `fromCache`: whether it was there.
    static std::unique_ptr<GpuCode> make(GpuDevice& device, const Module& module, const KernelOptions& options, CudaForm form, bool& fromCache,
                                         Failure& failure);
    GpuCode(const GpuCode&) = delete;
    GpuCode& operator=(const GpuCode&) = delete;
    ~GpuCode();

    void* function() const { return function_; }
    void* library() const { return library_; }
    uint64_t fault() const { return fault_; }
    int mostThreads() const { return mostThreads_; }
    // Why a launch of this shape is none that the code can have; else empty.
    Failure checkLimits(const LaunchShape& shape);

private:
    GpuCode(GpuDevice& device, const std::string& name);
    int loadModule(const std::string& image, bool asLibrary);
    Failure allowDynamic(int64_t bytes);

    GpuDevice& device_;
    std::string name_;
    pid_t owner_;
    void* library_ = nullptr;  // of watched code, whose module is its own
    void* module_ = nullptr;
    void* function_ = nullptr;
    uint64_t fault_ = 0;
    int mostThreads_ = 0;
    int registers_ = 0;
    int sharedBytes_ = 0;
    int dynamicAllowed_ = 0;
};

}  // namespace kiln::gpu
