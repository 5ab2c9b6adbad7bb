// Kernels on a GPU: the primary context, which CuPy and PyTorch use too; device memory from the driver's pool.
#include <unistd.h>

#include <chrono>
#include <mutex>

#include "gpu/cuda/cuda_source.h"
#include "gpu/driver/cuda_compiler.h"
#include "gpu/driver/cuda_driver.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {
namespace {

constexpr int kPoolReleaseThreshold = 4;  // an attribute of memory pools
constexpr int kDefaultDynamicBytes = 48 << 10;

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void* handle(uintptr_t number) {
    return reinterpret_cast<void*>(number);
}

class CompiledForGpu final : public CompiledKernel {
   public:
    std::string name;
    void* function = nullptr;
    int mostThreads = 0;
    int registers = 0;
    int sharedBytes = 0;
    int dynamicAllowed = kDefaultDynamicBytes;
    uint64_t fault = 0;  // the address of the kernel's FaultRecord, if it has one
};

class GpuBackend final : public Backend {
   public:
    GpuBackend(const CudaDriver& driver, int device, void* context) : driver_(driver), device_(device), context_(context) {
        sm_ = attribute(kMajor) * 10 + attribute(kMinor);
        pools_ = attribute(kMemoryPools) != 0;
        void* pool = nullptr;
        uint64_t all = ~uint64_t(0);
        if (pools_ && driver.GetDefaultMemPool(&pool, device) == 0) {
            driver.MemPoolSetAttribute(pool, kPoolReleaseThreshold, &all);
        }
    }

    const char* name() const override { return "gpu"; }
    bool isHost() const override { return false; }

    std::unique_ptr<CompiledKernel> compile(const Module& module, const KernelOptions& options, Failure& failure) override {
        double start = now();
        auto compiled = std::make_unique<CompiledForGpu>();
        std::string image;
        if (!compileCuda(module, options, sm_, false, image, compiled->fromCache, failure)) {
            return nullptr;
        }
        void* loaded = nullptr;
        compiled->name = module.kernel().pythonName;
        enter();
        int status = driver_.ModuleLoadData(&loaded, image.data());
        if (status == 0) {
            status = driver_.ModuleGetFunction(&compiled->function, loaded, cudaName(module).c_str());
        }
        size_t bytes = 0;
        if (status == 0 && !module.faults.empty()) {
            status = driver_.ModuleGetGlobal(&compiled->fault, &bytes, loaded, "kiln_fault");
        }
        if (status != 0) {
            failure = fail(status, ("loading kernel " + compiled->name).c_str());
            return nullptr;
        }
        driver_.FuncGetAttribute(&compiled->mostThreads, kFunctionThreads, compiled->function);
        driver_.FuncGetAttribute(&compiled->registers, kFunctionRegisters, compiled->function);
        driver_.FuncGetAttribute(&compiled->sharedBytes, kFunctionShared, compiled->function);
        compiled->milliseconds = now() - start;
        return compiled;
    }

    Failure launch(CompiledKernel& compiled, const uint8_t* arguments, int64_t bytes, const LaunchShape& shape,
                   uintptr_t stream) override {
        auto& kernel = static_cast<CompiledForGpu&>(compiled);
        if (shape.threads() > kernel.mostThreads) {
            return {"CudaAPIError", "kernel " + kernel.name + " uses " + std::to_string(kernel.registers) +
                                        " registers a thread, so that a block can have " + std::to_string(kernel.mostThreads) +
                                        " threads, and not " + std::to_string(shape.threads()) + "; max_registers limits them"};
        }
        enter();
        if (Failure failure = allowDynamic(kernel, shape.dynamicBytes)) {
            return failure;
        }
        auto size = static_cast<size_t>(bytes);
        // CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END.
        void* extra[] = {handle(1), const_cast<uint8_t*>(arguments), handle(2), &size, nullptr};
        auto word = [](int32_t value) { return static_cast<unsigned>(value); };
        int status = driver_.LaunchKernel(kernel.function, word(shape.grid[0]), word(shape.grid[1]), word(shape.grid[2]),
                                          word(shape.block[0]), word(shape.block[1]), word(shape.block[2]),
                                          static_cast<unsigned>(shape.dynamicBytes), handle(stream), nullptr, extra);
        return fail(status, ("launching kernel " + kernel.name).c_str());
    }

    Failure takeFault(CompiledKernel& compiled, uintptr_t stream, FaultRecord& record) override {
        auto& kernel = static_cast<CompiledForGpu&>(compiled);
        Failure failure = copyOut(&record, kernel.fault, sizeof record, stream);
        if (!failure && record.fault != 0) {
            FaultRecord none;
            failure = copyIn(kernel.fault, &none, sizeof none, stream);
        }
        return failure;
    }

    Failure allocate(int64_t bytes, uintptr_t& address) override {
        uint64_t made = 0;
        enter();
        size_t size = static_cast<size_t>(bytes > 0 ? bytes : 1);
        int status = pools_ ? driver_.MemAllocAsync(&made, size, nullptr) : driver_.MemAlloc(&made, size);
        address = made;
        return fail(status, ("allocating " + std::to_string(bytes) + " bytes on the GPU").c_str());
    }

    void release(uintptr_t address) override {
        if (getpid() == owner_) {
            enter();
            pools_ ? driver_.MemFreeAsync(address, nullptr) : driver_.MemFree(address);
        }
    }

    // From pageable memory the driver returns when it has read all of it.
    Failure copyIn(uintptr_t to, const void* from, int64_t bytes, uintptr_t stream) override {
        enter();
        return bytes == 0 ? Failure() : fail(driver_.MemcpyHtoD(to, from, static_cast<size_t>(bytes), handle(stream)), "copying to the GPU");
    }

    Failure copyOut(void* to, uintptr_t from, int64_t bytes, uintptr_t stream) override {
        enter();
        int status = bytes == 0 ? 0 : driver_.MemcpyDtoH(to, from, static_cast<size_t>(bytes), handle(stream));
        if (status == 0) {
            status = driver_.StreamSynchronize(handle(stream));
        }
        return fail(status, "copying from the GPU");
    }

    Failure synchronize(uintptr_t stream) override {
        enter();
        return fail(stream != 0 ? driver_.StreamSynchronize(handle(stream)) : driver_.CtxSynchronize(), "waiting for the GPU");
    }

    std::string source(const Module& module, const KernelOptions& options, bool assembly, Failure& failure) override {
        std::string image;
        bool fromCache = false;
        if (!assembly) {
            return cudaText(module, options);
        }
        return compileCuda(module, options, sm_, true, image, fromCache, failure) ? image : "";
    }

    Failure makeStream(uintptr_t& stream) override {
        void* made = nullptr;
        enter();
        int status = driver_.StreamCreate(&made, 0);
        stream = reinterpret_cast<uintptr_t>(made);
        return fail(status, "making a stream");
    }
    void releaseStream(uintptr_t stream) override { driver_.StreamDestroy(handle(stream)); }
    Failure makeEvent(uintptr_t& event) override {
        void* made = nullptr;
        enter();
        int status = driver_.EventCreate(&made, 0);
        event = reinterpret_cast<uintptr_t>(made);
        return fail(status, "making an event");
    }
    void releaseEvent(uintptr_t event) override { driver_.EventDestroy(handle(event)); }
    Failure recordEvent(uintptr_t event, uintptr_t stream) override {
        enter();
        return fail(driver_.EventRecord(handle(event), handle(stream)), "recording an event");
    }
    Failure waitForEvent(uintptr_t event, uintptr_t stream, bool onHost) override {
        enter();
        int status = onHost ? driver_.EventSynchronize(handle(event)) : driver_.StreamWaitEvent(handle(stream), handle(event), 0);
        return fail(status, "waiting for an event");
    }
    Failure elapsed(uintptr_t start, uintptr_t end, double& milliseconds) override {
        float time = 0;
        int status = driver_.EventElapsedTime(&time, handle(start), handle(end));
        milliseconds = time;
        return fail(status, "the time between two events");
    }

    DeviceInfo device() override {
        DeviceInfo info;
        char text[256] = "";
        driver_.DeviceGetName(text, sizeof text, device_);
        info.name = text;
        info.computeCapability = sm_;
        info.multiprocessors = attribute(kMultiprocessors);
        info.sharedBytes = attribute(kMaxSharedMemory);
        info.clockRate = attribute(kClockRate);
        enter();
        driver_.MemGetInfo(&info.freeBytes, &info.totalBytes);
        return info;
    }

   private:
    void enter() { driver_.CtxSetCurrent(context_); }

    int attribute(int number) const {
        int value = 0;
        driver_.DeviceGetAttribute(&value, number, device_);
        return value;
    }

    // After some errors nothing on this GPU works for this process any more: each later call says so, with the first cause.
    Failure fail(int status, const char* what) {
        if (status == 0) {
            return {};
        }
        std::lock_guard<std::mutex> lock(mutex_);
        bool sticky = status == 214 || (status >= 700 && status <= 719 && status != 701 && status != 704 && status != 705);
        Failure failure = cudaFailure(driver_, status, what);
        if (!poison_.empty()) {
            failure.message += "\nThe GPU cannot be used by this process since an earlier error: " + poison_;
        } else if (sticky) {
            poison_ = failure.message;
        }
        return failure;
    }

    Failure allowDynamic(CompiledForGpu& kernel, int64_t bytes) {
        int most = attribute(kMaxSharedMemoryOptIn) - kernel.sharedBytes;
        if (bytes > most) {
            return {"CudaAPIError", "kernel " + kernel.name + ": " + std::to_string(bytes) + " bytes of dynamic shared memory are too many; " +
                                        std::to_string(most) + " are left on this GPU"};
        }
        if (bytes > kernel.dynamicAllowed) {
            int status = driver_.FuncSetAttribute(kernel.function, kFunctionDynamicShared, static_cast<int>(bytes));
            kernel.dynamicAllowed = static_cast<int>(bytes);
            return fail(status, "asking for dynamic shared memory");
        }
        return {};
    }

    const CudaDriver& driver_;
    int device_;
    void* context_;
    int sm_ = 0;
    bool pools_ = false;
    pid_t owner_ = getpid();
    std::mutex mutex_;
    std::string poison_;
};

}  // namespace

std::unique_ptr<Backend> makeGpuBackend(Failure& failure) {
    const CudaDriver* driver = cudaDriver(failure);
    if (driver == nullptr) {
        return nullptr;
    }
    if (!findCompiler(failure)) {
        return nullptr;
    }
    int device = 0;
    void* context = nullptr;
    int status = driver->DeviceGet(&device, 0);
    if (status == 0) {
        status = driver->PrimaryCtxRetain(&context, device);
    }
    if (status != 0) {
        failure = cudaFailure(*driver, status, "making a context on the GPU");
        failure.exception = "CudaSupportError";
        return nullptr;
    }
    return std::make_unique<GpuBackend>(*driver, device, context);
}

}  // namespace kiln::gpu
