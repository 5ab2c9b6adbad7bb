// Kernels on the CPU: compiled by the LLVM object, blocks spread over threads. Device memory is host memory.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>

#include "gpu/cpu/grid_barrier.h"
#include "gpu/cpu/warp_operations.h"
#include "gpu/driver/cuda_compiler.h"
#include "gpu/ir/block_limits.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/cpu_image.h"
#include "gpu/runtime/cpu_launch.h"
#include "gpu/runtime/host_readable.h"
#include "interp/config.h"
#include "jit/engine/codegen_loader.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kAlignment = 64;

// Makes the code of all kernels. A fork while some thread does so would leave its locks taken in the child: there it is left as it
// is, with what it made, and another one is opened.
class KernelCompiler {
public:
    using Create = decltype(&kiln_create_kernel_codegen);
    KernelCompiler(Create create, const CpuRuntime& runtime) : create_(create), runtime_(runtime) {
        only = this;
        pthread_atfork([] { only->mutex_.lock(); }, [] { only->mutex_.unlock(); }, [] { only->afterForkInChild(); });
    }

    KernelCodegen* begin() {
        std::lock_guard<std::mutex> lock(mutex_);
        if (codegen_ == nullptr) {
            codegen_ = create_(&runtime_);
        }
        underway_++;
        return codegen_;
    }
    void end() {
        std::lock_guard<std::mutex> lock(mutex_);
        underway_--;
    }
    // `maker` is what begin() gave.
    void release(KernelCodegen* maker, CpuKernel& kernel) {
        if (maker == codegen_) {
            maker->release(kernel);
        }
    }

    // Calls `renew` when this process has been forked since `forks` was brought up to date, one thread at a time.
    template <typename Renew>
    void afterFork(std::atomic<int>& forks, const Renew& renew) {
        if (forks.load(std::memory_order_acquire) != forks_.load(std::memory_order_relaxed)) {
            std::lock_guard<std::mutex> lock(mutex_);
            if (forks.load() != forks_.load()) {
                renew();
                forks.store(forks_.load(), std::memory_order_release);
            }
        }
    }
    int forks() const { return forks_.load(); }

private:
    void afterForkInChild() {
        new (&mutex_) std::mutex;
        codegen_ = underway_ == 0 ? codegen_ : nullptr;
        underway_ = 0;
        forks_++;
    }

    inline static KernelCompiler* only = nullptr;
    Create create_;
    CpuRuntime runtime_;
    std::mutex mutex_;  // held over a fork
    KernelCodegen* codegen_ = nullptr;
    int underway_ = 0;
    std::atomic<int> forks_ = 0;
};

// The code for blocks of one shape: what is constant in a loop over threads makes it several times faster. A kernel that is
// launched with more shapes than these gets code for any.
class CompiledForCpu final : public CompiledKernel {
public:
    CompiledForCpu(KernelCompiler& compiler, const Module& module, const KernelOptions& options)
        : module_(module), compiler_(compiler), forks_(compiler.forks()) {
        mostThreads = options.launchBounds[0] > 0 ? options.launchBounds[0] : mostThreads;
        for (const auto& function : module.functions) {
            prints = prints || !function->prints.empty();
            for (const StaticArray& array : function->constants) {
                constantBytes += static_cast<int64_t>(array.bytes.size());
            }
        }
        waitsForGrid = isCooperative(module);
    }
    ~CompiledForCpu() override {
        for (Form& form : forms_) {
            compiler_.release(form.maker, form.kernel);
        }
    }

    // Thread-safe. nullptr with `failure` set.
    const CpuKernel* kernelFor(const LaunchShape& shape, Failure& failure) {
        constexpr size_t kMostShapes = 3;
        compiler_.afterFork(forks_, [&] { forgetOthers(); });
        std::lock_guard<std::mutex> lock(mutex_);
        for (const Form& form : forms_) {
            if (form.isGeneral || std::equal(form.block, form.block + 3, shape.block)) {
                return &form.kernel;
            }
        }
        Form& form = forms_.emplace_back();
        std::copy(shape.block, shape.block + 3, form.block);
        form.isGeneral = forms_.size() > kMostShapes;
        std::string error;
        if (!make(form, error)) {
            failure = {"LoweringError", "kernel " + module_.kernel().pythonName + ": " + error};
            forms_.pop_back();
            return nullptr;
        }
        return &form.kernel;
    }

    const Module& module() const { return module_; }

    // Of a block; the same for all shapes.
    int64_t sharedBytes() {
        compiler_.afterFork(forks_, [&] { forgetOthers(); });
        std::lock_guard<std::mutex> lock(mutex_);
        return forms_.empty() ? 0 : forms_.front().kernel.sharedBytes;
    }

    int64_t mostThreads = kMostBlockThreads;  // of a block
    int64_t constantBytes = 0;
    bool prints = false;
    bool waitsForGrid = false;

private:
    struct Form {
        int32_t block[3] = {};
        bool isGeneral = false;
        KernelCodegen* maker = nullptr;
        CpuKernel kernel;
    };
    bool make(Form& form, std::string& error) {
        auto start = std::chrono::steady_clock::now();
        CpuImage image;
        bool isKnown = false;
        form.maker = compiler_.begin();
        bool done = imageFor(*form.maker, module_, form.isGeneral ? nullptr : form.block, image, isKnown, error) &&
                    form.maker->load(image, form.kernel, error);
        compiler_.end();
        milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        fromCache = isKnown && (fromCache || forms_.size() == 1);
        return done;
    }
    // In a forked child: other threads are gone, and with them what they had begun.
    void forgetOthers() {
        new (&mutex_) std::mutex;
        if (!forms_.empty() && forms_.back().kernel.entry == nullptr) {
            forms_.pop_back();
        }
    }

    const Module& module_;
    KernelCompiler& compiler_;
    std::atomic<int> forks_;  // of the process, when `mutex_` was made
    std::mutex mutex_;
    std::deque<Form> forms_;  // addresses stay
};

thread_local FaultRecord lastFault;

class CpuBackend final : public Backend {
public:
    CpuBackend(KernelCompiler::Create create, const CpuRuntime& runtime) : compiler_(create, runtime) {}
    const char* name() const override { return "cpu"; }
    bool isHost() const override { return true; }

    std::unique_ptr<CompiledKernel> compile(const Module& module, const KernelOptions& options, const LaunchShape& shape,
                                            Failure& failure) override {
        for (const auto& function : module.functions) {
            if (function->isCalled && !function->externalName.empty()) {
                failure = {"CudaSupportError", "kernel " + module.kernel().pythonName + " calls " + function->externalName +
                                                   ", which is no Python function, and kernels run on the CPU; KILN_OFFLOAD=auto has them run on "
                                                   "the GPU"};
                return nullptr;
            }
            for (const GlobalArray& array : function->globals) {
                if (array.isForeign && !isHostReadable(array.address)) {
                    failure = {"CudaSupportError", "kernel " + module.kernel().pythonName +
                                                       " names an array in GPU memory, and kernels "
                                                       "run on the CPU; KILN_OFFLOAD=auto has them run on the GPU"};
                    return nullptr;
                }
            }
        }
        auto compiled = std::make_unique<CompiledForCpu>(compiler_, module, options);
        return compiled->kernelFor(shape, failure) != nullptr ? std::move(compiled) : nullptr;
    }

    Failure launch(CompiledKernel& compiled, const uint8_t* arguments, int64_t, const LaunchShape& shape,
                   uintptr_t) override {
        auto& target = static_cast<CompiledForCpu&>(compiled);
        Failure failure;
        if (Failure beyond = checkLaunchBounds(target.module().kernel().pythonName, target.mostThreads, shape)) {
            return beyond;
        }
        const CpuKernel* found = target.kernelFor(shape, failure);
        if (found == nullptr) {
            return failure;
        }
        CpuLaunch launch(target.module(), *found, arguments, shape);
        auto start = std::chrono::steady_clock::now();
        failure = target.waitsForGrid ? launch.runCooperatively() : launch.run();
        if (target.prints) {
            std::fflush(stdout);
        }
        if (timesLaunches()) {
            compiled.deviceNanoseconds += (std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1);
        }
        lastFault = launch.fault();
        return failure;
    }

    int64_t mostCooperativeBlocks(CompiledKernel&, int64_t, int64_t) override { return kMostCooperativeBlocks; }

    Failure takeFault(CompiledKernel&, uintptr_t, FaultRecord& record) override {
        record = lastFault;
        return {};
    }

    int64_t attribute(CompiledKernel& kernel, const std::string& what) override {
        auto& compiled = static_cast<CompiledForCpu&>(kernel);
        return what == "shared"     ? compiled.sharedBytes()
               : what == "threads"  ? compiled.mostThreads
               : what == "constant" ? compiled.constantBytes
                                    : 0;
    }

    Failure allocate(int64_t bytes, uintptr_t& address, uintptr_t) override {
        size_t size = static_cast<size_t>((std::max<int64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment);
        void* memory = std::aligned_alloc(kAlignment, size);
        address = reinterpret_cast<uintptr_t>(memory);
        return memory != nullptr ? Failure() : Failure{"MemoryError", "out of memory"};
    }
    void release(uintptr_t address, uintptr_t) override { std::free(reinterpret_cast<void*>(address)); }
    Failure copyIn(uintptr_t to, const void* from, int64_t bytes, uintptr_t) override {
        std::memmove(reinterpret_cast<void*>(to), from, static_cast<size_t>(bytes));
        return {};
    }
    Failure copyOut(void* to, uintptr_t from, int64_t bytes, uintptr_t) override {
        std::memmove(to, reinterpret_cast<void*>(from), static_cast<size_t>(bytes));
        return {};
    }
    Failure copyWithin(uintptr_t to, uintptr_t from, int, int64_t bytes, uintptr_t) override {
        std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), static_cast<size_t>(bytes));
        return {};
    }
    Failure synchronize(uintptr_t) override { return {}; }
    DeviceInfo identity(int) override {
        DeviceInfo info;
        info.name = kCpuDeviceName;
        return info;
    }
    DeviceInfo device(int number) override {
        DeviceInfo info = identity(number);
        size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        info.multiprocessors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
        info.clockRate = 1000000;
        info.freeBytes = page * static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES));
        info.totalBytes = page * static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
        return info;
    }

    std::string source(const Module& module, const KernelOptions& options, bool assembly, Failure& failure) override {
        std::string image;
        bool fromCache = false;
        if (!assembly) {
            return cudaText(module, options);
        }
        return compileCuda(module, options, identity(0).computeCapability, ImageKind::kPtx, {}, image, fromCache, failure) ? image
                                                                                                            : "";
    }

private:
    KernelCompiler compiler_;
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend(Failure& failure) {
    void* object = dlopen(codegenObjectPath().c_str(), RTLD_NOW | RTLD_LOCAL);
    auto create =
        object != nullptr
            ? reinterpret_cast<decltype(&kiln_create_kernel_codegen)>(dlsym(object, "kiln_create_kernel_codegen"))
            : nullptr;
    if (create == nullptr) {
        failure = {"RuntimeError", std::string("kiln's compiler cannot be opened: ") + dlerror()};
        return nullptr;
    }
    CpuRuntime runtime;
    runtime.warp = runWarpOperation;
    runtime.print = printFromKernel;
    CpuLaunch::connect(runtime);
    runtime.gridBarrier = waitForGrid;
    runtime.dumpLlvm = config().dumpLlvm;
    readImageVersion();
    return std::make_unique<CpuBackend>(create, runtime);
}

}  // namespace kiln::gpu
