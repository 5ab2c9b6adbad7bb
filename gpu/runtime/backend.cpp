// The choice of a backend.
#include "gpu/runtime/backend.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "gpu/driver/nvml.h"
#include "interp/config.h"
#include "interp/support/log.h"

namespace kiln::gpu {
namespace {

std::mutex mutex;
std::unique_ptr<Backend> chosen;
std::string reason;
pid_t owner = 0;

// For a report: which GPU could have done it.
std::string idleGpu() {
    std::vector<VisibleGpu> gpus;
    std::string problem;
    bool stands = timesLaunches() && visibleGpus(gpus, problem) && !gpus.empty();
    return stands ? ", so the " + gpus[0].name + " stands idle" : "";
}

std::unique_ptr<Backend> choose(const std::string& wish, bool isOrphan, Failure& failure) {
    bool simulates = std::getenv("NUMBA_ENABLE_CUDASIM") != nullptr && std::strcmp(std::getenv("NUMBA_ENABLE_CUDASIM"), "1") == 0;
    if (wish == "cpu" || simulates) {
        reason = simulates ? "NUMBA_ENABLE_CUDASIM=1" : "KILN_OFFLOAD is not set to auto or gpu" + idleGpu();
        return makeCpuBackend(failure);
    }
    if (isOrphan) {
        reason = "this process was forked from one that had used the GPU";
        return makeCpuBackend(failure);
    }
    std::unique_ptr<Backend> gpu = makeGpuBackend(failure);
    if (gpu != nullptr || wish == "gpu") {
        reason = "KILN_OFFLOAD=" + wish;
        return gpu;
    }
    reason = failure.message;
    failure = {};
    return makeCpuBackend(failure);
}

}  // namespace

Backend* backend(Failure& failure) {
    std::lock_guard<std::mutex> lock(mutex);
    const std::string& wish = config().offloadText;
    bool isOrphan = chosen != nullptr && !chosen->isHost() && owner != getpid();
    if (isOrphan && wish == "gpu") {
        failure = {"CudaSupportError", "this process was forked from one that had used the GPU; CUDA cannot be used in such a "
                                       "child. Start children with multiprocessing's 'spawn', or use the GPU only after the fork."};
        return nullptr;
    }
    if (chosen != nullptr && !isOrphan) {
        return chosen.get();
    }
    if (isOrphan) {
        (void)chosen.release();  // the parent's; nothing of it may be touched here
    }
    chosen = choose(wish, isOrphan, failure);
    owner = getpid();
    if (chosen != nullptr && logEnabled(LogChannel::kOffload)) {
        logMessage(LogChannel::kOffload, "kernels run on the %s: %s", chosen->name(), reason.c_str());
    }
    return chosen.get();
}

const std::string& backendReason() {
    return reason;
}

bool timesLaunches() {
    static const bool wanted = config().enabled && !config().reportText.empty() && config().reportText != "0";
    return wanted;
}

}  // namespace kiln::gpu
