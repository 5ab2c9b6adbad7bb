// The choice of a backend.
#include "gpu/runtime/backend.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "gpu/driver/cuda_compiler.h"
#include "gpu/driver/cuda_driver.h"
#include "gpu/driver/library_scope.h"
#include "gpu/driver/nvml.h"
#include "interp/config.h"
#include "interp/support/log.h"

namespace kiln::gpu {
namespace {

std::mutex mutex;
// Nothing of these is destroyed at exit(), when other threads may still launch.
Backend* chosen = nullptr;  // one of these two
Backend* onCpu = nullptr;
Backend* onGpu = nullptr;
std::string& reason = *new std::string;
pid_t owner = 0;
std::atomic<Backend*> usable = nullptr;  // the chosen one, without a lock: each launch asks for it

// Another thread of the parent may have been about to choose.
void goOnInChild() {
    Backend* before = usable.load();
    if (before != nullptr && !before->isHost()) {
        usable.store(nullptr);
    }
    if (!mutex.try_lock()) {
        new (&reason) std::string;
    }
    new (&mutex) std::mutex;
}

std::unique_lock<std::mutex> lockChoice() {
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, goOnInChild); });
    return std::unique_lock<std::mutex>(mutex);
}

// For a report: which GPU could have done it.
std::string idleGpu() {
    std::vector<VisibleGpu> gpus;
    std::string problem;
    LibraryScope scope;
    bool stands = timesLaunches() && !areLibrariesCutOff() && visibleGpus(gpus, problem) && !gpus.empty();
    return stands ? ", so the " + gpus[0].name + " stands idle" : "";
}

bool simulates() {
    const char* wish = std::getenv("NUMBA_ENABLE_CUDASIM");
    return wish != nullptr && std::strcmp(wish, "1") == 0;
}

// Whether kernels are to run on the CPU whatever there is; then `why` says so.
bool prefersCpu(std::string& why) {
    bool cpu = config().offloadText == "cpu";
    why = simulates() ? "NUMBA_ENABLE_CUDASIM=1" : cpu ? "KILN_OFFLOAD is not set to auto or gpu" : "";
    return simulates() || cpu;
}

constexpr const char* kForked = "this process was forked from one that had used the GPU";

bool isOrphan() {
    return chosen != nullptr && !chosen->isHost() && owner != getpid();
}

Failure orphanFailure() {
    return areLibrariesCutOff() ? cutOffFailure() : Failure{"CudaForkError", std::string(kForked) + "; CUDA cannot be used in such a child (CUDA initialized before forking). Start children with multiprocessing's "
                                                       "'spawn', or use the GPU only after the fork."};
}

Backend* madeCpu(Failure& failure) {
    if (onCpu == nullptr) {
        LibraryScope scope;
        onCpu = makeCpuBackend(failure).release();
    }
    return onCpu;
}

Backend* choose(Failure& failure) {
    if (prefersCpu(reason)) {
        reason += simulates() ? "" : idleGpu();
        return madeCpu(failure);
    }
    const std::string& wish = config().offloadText;
    if (isOrphan() || areLibrariesCutOff()) {
        reason = areLibrariesCutOff() ? cutOffFailure().message : kForked;
        failure = wish == "gpu" ? orphanFailure() : Failure();
        return wish == "gpu" ? nullptr : madeCpu(failure);
    }
    LibraryScope scope;
    onGpu = makeGpuBackend(failure).release();
    if (onGpu == nullptr && wish == "gpu") {
        failure.message +=
            "\nKILN_OFFLOAD=gpu asks for a GPU; with auto kernels run on the CPU where there is none to use.";
    }
    if (onGpu != nullptr || wish == "gpu") {
        reason = "KILN_OFFLOAD=" + wish;
        return onGpu;
    }
    reason = failure.message;
    failure = {};
    return madeCpu(failure);
}

DeviceInfo cpuDevice() {
    DeviceInfo info;
    info.name = kCpuDeviceName;
    return info;
}

// The GPUs that backend() would use; none, with the reason, where it would find one unusable.
std::vector<DeviceInfo> usableGpus(std::string& why) {
    std::vector<VisibleGpu> gpus;
    std::vector<DeviceInfo> devices;
    Failure failure;
    LibraryScope scope;
    if (areLibrariesCutOff()) {
        why = cutOffFailure().message;
        return devices;
    }
    if (!visibleGpus(gpus, why) || openedCudaDriver(failure) == nullptr) {
        why = failure ? failure.message : why;
        return devices;
    }
    if (gpus.empty()) {
        why = "NVML shows no GPU (CUDA_VISIBLE_DEVICES may hide it)";
    } else if (!findCompiler(gpus[0].computeCapability, failure)) {
        why = failure.message;
    } else {
        for (const VisibleGpu& gpu : gpus) {
            devices.emplace_back();
            devices.back().name = gpu.name;
            devices.back().uuid = gpu.uuid;
            devices.back().computeCapability = gpu.computeCapability;
        }
    }
    return devices;
}

}  // namespace

Backend* backend(Failure& failure) {
    if (Backend* known = usable.load(std::memory_order_acquire)) {
        return known;
    }
    auto lock = lockChoice();
    bool orphan = isOrphan();
    if (chosen != nullptr && !orphan) {
        return chosen;
    }
    if (orphan) {
        onGpu = nullptr;  // the parent's; nothing of it may be touched here
    }
    Backend* made = choose(failure);
    if (made == nullptr) {
        return nullptr;
    }
    chosen = made;
    owner = getpid();
    usable.store(chosen, std::memory_order_release);
    if (logEnabled(LogChannel::kOffload)) {
        logMessage(LogChannel::kOffload, "kernels run on the %s: %s", chosen->name(), reason.c_str());
    }
    return chosen;
}

Backend* cpuBackend(Failure& failure) {
    auto lock = lockChoice();
    return madeCpu(failure);
}

Backend* chosenBackend() {
    auto lock = lockChoice();
    return isOrphan() ? nullptr : chosen;
}

Probe probeBackend() {
    auto lock = lockChoice();
    Probe probe;
    bool wantsGpu = config().offloadText == "gpu";
    if (isOrphan()) {
        probe.onGpu = wantsGpu;
        probe.reason = wantsGpu ? orphanFailure().message : kForked;
    } else if (chosen != nullptr) {
        probe.onGpu = !chosen->isHost();
        probe.reason = reason;
        for (int i = 0; probe.onGpu && i < chosen->deviceCount(); i++) {
            probe.devices.push_back(chosen->identity(i));
        }
    } else if (!prefersCpu(probe.reason)) {
        probe.devices = usableGpus(probe.reason);
        probe.onGpu = wantsGpu || !probe.devices.empty();
        probe.reason = probe.devices.empty() ? probe.reason : "KILN_OFFLOAD=" + config().offloadText;
    }
    if (!probe.onGpu) {
        probe.devices = {cpuDevice()};
    }
    return probe;
}

const std::string& backendReason() {
    return reason;
}

bool timesLaunches() {
    return config().reports;
}

}  // namespace kiln::gpu
