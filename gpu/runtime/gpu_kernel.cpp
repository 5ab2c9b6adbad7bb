// A kernel's machine code on one GPU: loading, launching, timing, unloading.
#include "gpu/runtime/gpu_kernel.h"

#include <unistd.h>

#include <algorithm>

#include "gpu/cuda/cuda_source.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {
namespace {

constexpr int kDynamicByDefault = 48 << 10;
constexpr size_t kMostPending = 1024;  // launches whose times were not read yet

// CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
    int id = 2;  // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
    int unused = 0;
    int value[16] = {1};
};
struct LaunchConfiguration {
    unsigned grid[3];
    unsigned block[3];
    unsigned dynamicBytes;
    void* stream;
    const LaunchAttribute* attributes;
    unsigned count;
};

int launchCooperatively(const CudaDriver& driver, void* function, const LaunchShape& shape, void* stream, void** extra) {
    LaunchAttribute attribute;
    LaunchConfiguration configuration = {{}, {}, static_cast<unsigned>(shape.dynamicBytes), stream, &attribute, 1};
    for (int axis = 0; axis < 3; axis++) {
        configuration.grid[axis] = static_cast<unsigned>(shape.grid[axis]);
        configuration.block[axis] = static_cast<unsigned>(shape.block[axis]);
    }
    return driver.LaunchKernelEx(&configuration, function, nullptr, extra);
}

}  // namespace

GpuKernel::GpuKernel(GpuDevice& device, const std::string& name)
    : device_(device), name_(name), owner_(getpid()), dynamicAllowed_(kDynamicByDefault) {}

int GpuKernel::loadModule(const std::string& image, bool asLibrary) {
    const CudaDriver& driver = device_.driver();
    if (!asLibrary) {
        return driver.ModuleLoadData(&module_, image.data());
    }
    int status = driver.LibraryLoadData(&library_, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    return status != 0 ? status : driver.LibraryGetModule(&module_, library_);
}

std::unique_ptr<GpuKernel> GpuKernel::load(GpuDevice& device, const std::string& image, const Module& module,
                                           const KernelOptions& options, Failure& failure) {
    std::unique_ptr<GpuKernel> kernel(new GpuKernel(device, module.kernel().pythonName));
    const CudaDriver& driver = device.driver();
    device.enter();
    kernel->isCooperative_ = isCooperative(module);
    bool isWatched = std::any_of(module.links.begin(), module.links.end(), [](const LinkedCode& code) { return code.isWatched; });
    int status = kernel->loadModule(image, isWatched);
    if (status == 0) {
        status = driver.ModuleGetFunction(&kernel->function_, kernel->module_, cudaName(module).c_str());
    }
    size_t bytes = 0;
    if (status == 0 && !module.faults.empty()) {
        status = driver.ModuleGetGlobal(&kernel->fault_, &bytes, kernel->module_, "kiln_fault");
    }
    failure = device.check(status, "loading kernel " + kernel->name_);
    if (failure) {
        return nullptr;
    }
    if (options.carveout != kNoCarveout) {  // a wish, which not all devices have an ear for
        driver.FuncSetAttribute(kernel->function_, kFunctionCarveout, options.carveout);
    }
    kernel->findPairs(module);
    driver.FuncGetAttribute(&kernel->mostThreads_, kFunctionThreads, kernel->function_);
    driver.FuncGetAttribute(&kernel->registers_, kFunctionRegisters, kernel->function_);
    driver.FuncGetAttribute(&kernel->sharedBytes_, kFunctionShared, kernel->function_);
    return kernel;
}

void GpuKernel::findPairs(const Module& module) {
    const CudaDriver& driver = device_.driver();
    if (driver.ModuleGetFunction(&pairs_, module_, pairedName(module).c_str()) != 0) {
        pairs_ = nullptr;
        return;
    }
    driver.FuncGetAttribute(&pairsBlock_, kFunctionThreads, pairs_);
    pairsThreads_ = int64_t(device_.attribute(kMultiprocessors)) * device_.attribute(kThreadsOfMultiprocessor);
}

// Where half the threads fill the device as well.
bool GpuKernel::takesPairs(const LaunchShape& shape) const {
    return pairs_ != nullptr && shape.grid[0] % 2 == 0 && shape.dynamicBytes == 0 && shape.threads() <= pairsBlock_ &&
           shape.blocks() / 2 * shape.threads() >= pairsThreads_;
}

// In a forked child the module is the parent's: nothing of it may be touched.
GpuKernel::~GpuKernel() {
    if ((module_ == nullptr && library_ == nullptr) || getpid() != owner_) {
        return;
    }
    finishTimings();
    ContextScope scope(device_);
    const CudaDriver& driver = device_.driver();
    device_.afterWork([&driver, library = library_, module = module_] {
        library != nullptr ? driver.LibraryUnload(library) : driver.ModuleUnload(module);
    });
}

Failure GpuKernel::checkLimits(const LaunchShape& shape) {
    if (shape.threads() > mostThreads_) {
        return {"CudaAPIError", "kernel " + name_ + " uses " + std::to_string(registers_) +
                                    " registers a thread, so that a block can have " + std::to_string(mostThreads_) +
                                    " threads, and not " + std::to_string(shape.threads()) +
                                    "; max_registers limits them", kOutOfResources};
    }
    return shape.dynamicBytes > 0 ? allowDynamic(shape.dynamicBytes) : Failure();
}

Failure GpuKernel::allowDynamic(int64_t bytes) {
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

Failure GpuKernel::launch(const uint8_t* arguments, int64_t bytes, const LaunchShape& shape, void* stream) {
    device_.enter();
    if (Failure failure = checkLimits(shape)) {
        return failure;
    }
    const CudaDriver& driver = device_.driver();
    Timing timing = {};
    if (timesLaunches()) {
        timing = {device_.takeEvent(), device_.takeEvent()};
        driver.EventRecord(timing.begin, stream);
    }
    auto size = static_cast<size_t>(bytes);
    // CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END.
    void* extra[] = {cudaHandle(1), const_cast<uint8_t*>(arguments), cudaHandle(2), &size, nullptr};
    auto word = [](int64_t value) { return static_cast<unsigned>(value); };
    bool inPairs = takesPairs(shape);
    int status = isCooperative_
        ? launchCooperatively(driver, function_, shape, stream, extra)
        : driver.LaunchKernel(inPairs ? pairs_ : function_, word(inPairs ? shape.grid[0] / 2 : shape.grid[0]), word(shape.grid[1]), word(shape.grid[2]), word(shape.block[0]),
                              word(shape.block[1]), word(shape.block[2]), word(shape.dynamicBytes), stream, nullptr, extra);
    if (timing.end != nullptr) {
        driver.EventRecord(timing.end, stream);
        noteTiming(timing);
    }
    return status == 0 ? Failure() : device_.check(status, "launching kernel " + name_);
}

void GpuKernel::noteTiming(Timing timing) {
    std::lock_guard<std::mutex> lock(mutex_);
    pending_.push_back(timing);
    while (pending_.size() > kMostPending) {
        addTiming(pending_.front());
        pending_.pop_front();
    }
}

void GpuKernel::addTiming(const Timing& timing) {
    const CudaDriver& driver = device_.driver();
    float milliseconds = 0;
    if (driver.EventSynchronize(timing.end) == 0 &&
        driver.EventElapsedTime(&milliseconds, timing.begin, timing.end) == 0) {
        deviceNanoseconds += static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
    }
    device_.giveEvent(timing.begin);
    device_.giveEvent(timing.end);
}

void GpuKernel::finishTimings() {
    if (getpid() != owner_) {  // the lock may be another thread's of the parent
        return;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    ContextScope scope(device_);
    for (const Timing& timing : pending_) {
        if (device_.isLeftRunning()) {
            break;
        }
        addTiming(timing);
    }
    pending_.clear();
}

int GpuKernel::bestBlock(size_t dynamicBytes) const {
    int grid = 0;
    int block = 0;
    device_.enter();
    bool known =
        device_.driver().OccupancyMaxPotentialBlockSize(&grid, &block, function_, nullptr, dynamicBytes, 0) == 0;
    return known ? block : 0;
}

int64_t GpuKernel::mostCooperativeBlocks(int64_t threads, size_t dynamicBytes) const {
    int blocks = 0;
    device_.enter();
    device_.driver().OccupancyMaxActiveBlocks(&blocks, function_, static_cast<int>(threads), dynamicBytes);
    return int64_t(blocks) * device_.attribute(kMultiprocessors);
}

int64_t GpuKernel::attribute(const std::string& what) const {
    int number = what == "registers"  ? kFunctionRegisters
                 : what == "shared"   ? kFunctionShared
                 : what == "local"    ? kFunctionLocal
                 : what == "constant" ? kFunctionConstant
                                      : kFunctionThreads;
    int value = 0;
    device_.enter();
    device_.driver().FuncGetAttribute(&value, number, function_);
    return value;
}

}  // namespace kiln::gpu
