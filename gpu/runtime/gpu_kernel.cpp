// A kernel on one GPU: launching, timing.
#include "gpu/runtime/gpu_kernel.h"

#include <unistd.h>

#include <chrono>

#include "gpu/ir/argument_layout.h"
#include "gpu/ir/narrow_launch.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {
namespace {

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

GpuKernel::GpuKernel(GpuDevice& device, const Module& module, const KernelOptions& options)
    : device_(device), module_(module), options_(options), offsets_(argumentOffsets(module.kernel().parameters)), owner_(getpid()),
      isCooperative_(isCooperative(module)),
      pairsThreads_(int64_t(device.attribute(kMultiprocessors)) * device.attribute(kThreadsOfMultiprocessor)) {
    for (CudaForm form : {CudaForm{}, CudaForm{true, false}, CudaForm{false, true}, CudaForm{true, true}}) {
        has_[placeOf(form)] = hasForm(module, options, form);
    }
}

std::unique_ptr<GpuKernel> GpuKernel::make(GpuDevice& device, const Module& module, const KernelOptions& options, const LaunchShape& shape,
                                           Failure& failure) {
    std::unique_ptr<GpuKernel> kernel(new GpuKernel(device, module, options));
    GpuCode* code = kernel->codeOf(kernel->formFor(shape, shape.grid[0] <= kNarrowLaunch.blocks), failure);
    return code != nullptr ? std::move(kernel) : nullptr;
}

GpuKernel::~GpuKernel() {
    finishTimings();
}

// Pairs where half the threads fill the device as well.
CudaForm GpuKernel::formFor(const LaunchShape& shape, bool isNarrow) const {
    bool inPairs = shape.grid[0] % 2 == 0 && shape.dynamicBytes == 0 && shape.blocks() / 2 * shape.threads() >= pairsThreads_;
    for (CudaForm form : {CudaForm{true, true}, CudaForm{false, true}, CudaForm{true, false}}) {
        if (has_[placeOf(form)] && isNarrow >= form.isNarrow && inPairs >= form.inPairs) {
            return form;
        }
    }
    return {};
}

GpuCode* GpuKernel::codeOf(CudaForm form, Failure& failure) {
    std::atomic<GpuCode*>& place = codes_[placeOf(form)];
    if (GpuCode* known = place.load(std::memory_order_acquire)) {
        return known;
    }
    std::lock_guard<std::mutex> lock(making_);
    if (GpuCode* known = place.load(std::memory_order_acquire)) {
        return known;
    }
    auto start = std::chrono::steady_clock::now();
    bool wasCached = false;
    std::unique_ptr<GpuCode> code = GpuCode::make(device_, module_, options_, form, wasCached, failure);
    if (code == nullptr) {
        return nullptr;
    }
    milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    fromCache = wasCached && (fromCache || first_ == nullptr);
    first_ = first_ == nullptr ? code.get() : first_;
    made_.push_back(std::move(code));
    place.store(made_.back().get(), std::memory_order_release);
    return made_.back().get();
}

GpuCode* GpuKernel::codeFor(const LaunchShape& shape, const uint8_t* arguments, CudaForm& form, Failure& failure) {
    bool isNarrow = has_[placeOf({true, false})] && isNarrowLaunch(module_.kernel().parameters, offsets_, arguments, shape.grid[0]);
    form = formFor(shape, isNarrow);
    GpuCode* code = codeOf(form, failure);
    if (code != nullptr && form.inPairs && shape.threads() > code->mostThreads()) {
        form = {isNarrow, false};
        code = codeOf(form, failure);
    }
    return code;
}

// What programs are told the numbers of: not the form in pairs, unless there is no other.
GpuCode& GpuKernel::plainCode() const {
    GpuCode* narrow = codes_[placeOf({true, false})].load(std::memory_order_acquire);
    GpuCode* wide = codes_[placeOf({})].load(std::memory_order_acquire);
    return narrow != nullptr ? *narrow : wide != nullptr ? *wide : *first_;
}

Failure GpuKernel::launch(const uint8_t* arguments, int64_t bytes, const LaunchShape& shape, void* stream) {
    device_.enter();
    Failure failure;
    CudaForm form;
    GpuCode* code = codeFor(shape, arguments, form, failure);
    if (code == nullptr) {
        return failure;
    }
    if (Failure beyond = checkLaunchBounds(module_.kernel().pythonName, options_.launchBounds[0], shape)) {
        return beyond;
    }
    if (Failure beyond = code->checkLimits(shape)) {
        return beyond;
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
    int status = isCooperative_
        ? launchCooperatively(driver, code->function(), shape, stream, extra)
        : driver.LaunchKernel(code->function(), word(form.inPairs ? shape.grid[0] / 2 : shape.grid[0]), word(shape.grid[1]), word(shape.grid[2]), word(shape.block[0]),
                              word(shape.block[1]), word(shape.block[2]), word(shape.dynamicBytes), stream, nullptr, extra);
    if (timing.end != nullptr) {
        driver.EventRecord(timing.end, stream);
        noteTiming(timing);
    }
    return status == 0 ? Failure() : device_.check(status, "launching kernel " + module_.kernel().pythonName);
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
        device_.driver().OccupancyMaxPotentialBlockSize(&grid, &block, plainCode().function(), nullptr, dynamicBytes, 0) == 0;
    return known ? block : 0;
}

int64_t GpuKernel::mostCooperativeBlocks(int64_t threads, size_t dynamicBytes) const {
    int blocks = 0;
    device_.enter();
    device_.driver().OccupancyMaxActiveBlocks(&blocks, plainCode().function(), static_cast<int>(threads), dynamicBytes);
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
    device_.driver().FuncGetAttribute(&value, number, plainCode().function());
    return value;
}

}  // namespace kiln::gpu
