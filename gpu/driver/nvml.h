// The GPUs of this machine, as NVIDIA's management library tells of them: without cuInit, so that a fork stays safe.
#pragma once

#include <string>
#include <vector>

namespace kiln::gpu {

struct VisibleGpu {
    std::string name;
    std::string uuid;
    int computeCapability = 0;  // 90 for 9.0
};

// The GPUs that CUDA will show this process, CUDA_VISIBLE_DEVICES honoured, in the order of their PCI bus numbers. False with
// a reason where NVML cannot be asked. Each call asks again.
bool visibleGpus(std::vector<VisibleGpu>& gpus, std::string& reason);

// Of `all`, those that a value of CUDA_VISIBLE_DEVICES leaves, in its order: numbers, or beginnings of UUIDs; the list ends at
// the first that means none, or one for the second time.
std::vector<VisibleGpu> chooseVisible(const std::vector<VisibleGpu>& all, const std::string& wish);

}  // namespace kiln::gpu
