// What a thread that fails leaves behind: the same layout on the host, in kernels on the CPU and in CUDA C++ (cuda/prelude.cpp).
#pragma once

#include <cstdint>

namespace kiln::gpu {

struct FaultRecord {
    uint32_t fault = 0;  // a row of Module::faults, plus 1; 0: none. The first thread to fail keeps it.
    int32_t thread[3] = {};
    int32_t block[3] = {};
    int32_t unused = 0;
    int64_t index = 0;  // the operands of the raise
    int64_t size = 0;
};

}  // namespace kiln::gpu
