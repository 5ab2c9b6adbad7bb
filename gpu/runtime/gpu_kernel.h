// A kernel's machine code on one GPU.
#pragma once

#include <sys/types.h>

#include <deque>

#include "gpu/runtime/gpu_device.h"

namespace kiln::gpu {

// Unloaded at its end, in the process that loaded it.
class GpuKernel final : public CompiledKernel {
   public:
    // Loads a cubin or PTX. nullptr with `failure`.
    static std::unique_ptr<GpuKernel> load(GpuDevice& device, const std::string& image, const Module& module,
                                           const KernelOptions& options, Failure& failure);
    ~GpuKernel() override;
    uint64_t handle() const override { return reinterpret_cast<uintptr_t>(library_); }

    Failure launch(const uint8_t* arguments, int64_t bytes, const LaunchShape& shape, void* stream);
    void finishTimings();
    // Of the kernel's FaultRecord, if it has one.
    uint64_t faultAddress() const { return fault_; }
    // The block size with the best occupancy.
    int bestBlock(size_t dynamicBytes) const;
    int64_t mostCooperativeBlocks(int64_t threads, size_t dynamicBytes) const;
    int64_t attribute(const std::string& what) const;

   private:
    struct Timing {
        void* begin;
        void* end;
    };

    GpuKernel(GpuDevice& device, const std::string& name);
    int loadModule(const std::string& image, bool asLibrary);
    Failure checkLimits(const LaunchShape& shape);
    Failure allowDynamic(int64_t bytes);
    void findPairs(const Module& module);
    bool takesPairs(const LaunchShape& shape) const;
    void noteTiming(Timing timing);
    void addTiming(const Timing& timing);

    GpuDevice& device_;
    std::string name_;
    pid_t owner_;
    void* library_ = nullptr;  // of watched code, whose module is its own
    void* module_ = nullptr;
    void* function_ = nullptr;
    void* pairs_ = nullptr;  // the form that takes two blocks at once, or null; and the threads with which it fills the device
    int64_t pairsThreads_ = 0;
    int pairsBlock_ = 0;  // threads that a block of it can have
    uint64_t fault_ = 0;
    int mostThreads_ = 0;
    int registers_ = 0;
    bool isCooperative_ = false;
    int sharedBytes_ = 0;
    int dynamicAllowed_ = 0;
    std::mutex mutex_;
    std::deque<Timing> pending_;
};

}  // namespace kiln::gpu
