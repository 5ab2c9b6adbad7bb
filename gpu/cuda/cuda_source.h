// Kernel IR as CUDA C++: readable, without headers, with #line back to the Python source.
#pragma once

#include <string>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

struct CudaTextOptions {
    int launchBounds[3] = {0, 0, 0};  // threads of a block, blocks of a multiprocessor, blocks of a cluster; 0: not given
    bool lineDirectives = true;
};

// The whole translation unit. The kernel is extern "C".
std::string writeCuda(const Module& module, const CudaTextOptions& options = {});

// The kernel's name in that text.
std::string cudaName(const Module& module);

// What every translation unit begins with: type names, arrays, Python's arithmetic.
const char* cudaPrelude();
// And that of kernels with faults: raise_fault(), and the variable kiln_fault, a FaultRecord.
const char* cudaFaultPrelude();
// And that of cooperative ones: grid_sync().
const char* cudaGridPrelude();

}  // namespace kiln::gpu
