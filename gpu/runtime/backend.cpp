// The choice of a backend.
#include "gpu/runtime/backend.h"

#include <mutex>

#include "interp/config.h"

namespace kiln::gpu {
namespace {

std::mutex mutex;
std::unique_ptr<Backend> chosen;
std::string reason;

}  // namespace

Backend* backend(Failure& failure) {
    std::lock_guard<std::mutex> lock(mutex);
    if (chosen != nullptr) {
        return chosen.get();
    }
    const std::string& wish = config().offloadText;
    if (wish == "gpu") {
        failure = {"CudaSupportError", "KILN_OFFLOAD=gpu: this kiln cannot run kernels on a GPU yet"};
        return nullptr;
    }
    reason = wish == "cpu" ? "KILN_OFFLOAD is not set to auto or gpu" : "no GPU can be used";
    chosen = makeCpuBackend(failure);
    return chosen.get();
}

const std::string& backendReason() {
    return reason;
}

}  // namespace kiln::gpu
