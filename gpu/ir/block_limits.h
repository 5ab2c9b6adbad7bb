// CUDA's limits of a block, the same on all devices that are supported.
#pragma once

#include <cstdint>

namespace kiln::gpu {

inline constexpr int64_t kMostBlockThreads = 1024;
inline constexpr int64_t kMostAlongAxis[] = {kMostBlockThreads, kMostBlockThreads, 64};

}  // namespace kiln::gpu
