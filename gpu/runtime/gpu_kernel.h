// A kernel on one GPU.
#pragma once

#include <sys/types.h>

#include <deque>

#include "gpu/runtime/gpu_code.h"

namespace kiln::gpu {

// Its code has several forms (CudaForm), each of which is made when a launch takes it.
class GpuKernel final : public CompiledKernel {
   public:
    // With the form that a launch of this shape takes. nullptr with `failure`. The module must stay.
    static std::unique_ptr<GpuKernel> make(GpuDevice& device, const Module& module, const KernelOptions& options, const LaunchShape& shape,
                                           Failure& failure);
    ~GpuKernel() override;
    uint64_t handle() const override { return reinterpret_cast<uintptr_t>(first_->library()); }

    Failure launch(const uint8_t* arguments, int64_t bytes, const LaunchShape& shape, void* stream);
    void finishTimings();
    // Of the kernel's FaultRecord, if it has one.
    uint64_t faultAddress() const { return first_->fault(); }
    // The block size with the best occupancy.
    int bestBlock(size_t dynamicBytes) const;
    int64_t mostCooperativeBlocks(int64_t threads, size_t dynamicBytes) const;
    int64_t attribute(const std::string& what) const;

   private:
    struct Timing {
        void* begin;
        void* end;
    };

    GpuKernel(GpuDevice& device, const Module& module, const KernelOptions& options);
    static size_t placeOf(CudaForm form) { return (form.isNarrow ? 1 : 0) + (form.inPairs ? 2 : 0); }
    CudaForm formFor(const LaunchShape& shape, bool isNarrow) const;
    // The code of a form. nullptr with `failure`.
    GpuCode* codeOf(CudaForm form, Failure& failure);
    GpuCode* codeFor(const LaunchShape& shape, const uint8_t* arguments, CudaForm& form, Failure& failure);
    GpuCode& plainCode() const;
    void noteTiming(Timing timing);
    void addTiming(const Timing& timing);

    static constexpr size_t kForms = 4;
    GpuDevice& device_;
    const Module& module_;
    KernelOptions options_;
    std::vector<int64_t> offsets_;  // of arguments
    pid_t owner_;
    bool isCooperative_ = false;
    bool has_[kForms] = {};
    int64_t pairsThreads_ = 0;  // that fill the device
    std::atomic<GpuCode*> codes_[kForms] = {};
    GpuCode* first_ = nullptr;               // the first one that was made; one with faults or links has no other
    std::vector<std::unique_ptr<GpuCode>> made_;
    std::mutex making_;
    std::mutex mutex_;
    std::deque<Timing> pending_;
};

}  // namespace kiln::gpu
