// The GPUs of this machine.
#include "gpu/driver/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

namespace kiln::gpu {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

struct Nvml {
#define KILN_NVML(id, name, parameters) int(*id) parameters = nullptr;
#include "gpu/driver/nvml_functions.def"
#undef KILN_NVML
};

bool load(void* library, Nvml& nvml, std::string& reason) {
    if (library == nullptr) {
        reason = std::string("NVML cannot be opened: ") + dlerror();
        return false;
    }
#define KILN_NVML(id, name, parameters)                                           \
    nvml.id = reinterpret_cast<decltype(nvml.id)>(dlsym(library, name));          \
    if (nvml.id == nullptr) {                                                     \
        reason = "NVML is too old: it has no " name;                              \
        return false;                                                             \
    }
#include "gpu/driver/nvml_functions.def"
#undef KILN_NVML
    return true;
}

std::vector<VisibleGpu> ask(const Nvml& nvml) {
    std::vector<VisibleGpu> gpus;
    unsigned count = 0;
    nvml.DeviceGetCount(&count);
    for (unsigned i = 0; i < count; i++) {
        void* device = nullptr;
        char name[96] = "";
        char uuid[96] = "";
        int major = 0;
        int minor = 0;
        if (nvml.DeviceGetHandle(i, &device) == 0 && nvml.DeviceGetCapability(device, &major, &minor) == 0) {
            nvml.DeviceGetName(device, name, sizeof name);
            nvml.DeviceGetUuid(device, uuid, sizeof uuid);
            gpus.push_back({name, uuid, major * 10 + minor});
        }
    }
    return gpus;
}

}  // namespace

std::vector<VisibleGpu> chooseVisible(const std::vector<VisibleGpu>& all, const std::string& wish) {
    std::vector<VisibleGpu> chosen;
    std::vector<bool> taken(all.size());
    for (size_t begin = 0; begin <= wish.size();) {
        size_t end = std::min(wish.find(',', begin), wish.size());
        std::string item = wish.substr(begin, end - begin);
        item.erase(0, item.find_first_not_of(" \t"));
        item.erase(item.find_last_not_of(" \t") + 1);
        begin = end + 1;
        size_t index = all.size();
        if (!item.empty() && item.size() < 9 && item.find_first_not_of("0123456789") == std::string::npos) {
            index = static_cast<size_t>(std::atoi(item.c_str()));
        } else if (item.starts_with("GPU-")) {
            auto same = std::find_if(all.begin(), all.end(), [&](const VisibleGpu& gpu) { return gpu.uuid.starts_with(item); });
            index = static_cast<size_t>(same - all.begin());
        }
        if (index >= all.size() || taken[index]) {
            break;
        }
        taken[index] = true;
        chosen.push_back(all[index]);
    }
    return chosen;
}

bool visibleGpus(std::vector<VisibleGpu>& gpus, std::string& reason) {
    Nvml nvml;
    if (!load(dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL), nvml, reason)) {
        return false;
    }
    if (int status = nvml.Init(); status != 0) {
        reason = "NVML does not start: error " + std::to_string(status);
        return false;
    }
    gpus = ask(nvml);
    nvml.Shutdown();
    if (const char* wish = std::getenv("CUDA_VISIBLE_DEVICES")) {
        gpus = chooseVisible(gpus, wish);
    }
    return true;
}

}  // namespace kiln::gpu
