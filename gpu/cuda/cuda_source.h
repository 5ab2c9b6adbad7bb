// Kernel IR as CUDA C++: readable, without headers, with #line back to the Python source.
#pragma once

#include <string>
#include <string_view>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

struct CudaTextOptions {
    int launchBounds[3] = {0, 0, 0};  // threads of a block, blocks of a multiprocessor, blocks of a cluster; 0: not given
    bool lineDirectives = true;
    bool isNarrow = false;  // of a module for narrow launches (ir/narrow_launch.h)
    bool inPairs = false;   // the form of a kernel that takes two blocks at once instead, which it must have (ir/pair_blocks.h)
};

// The whole translation unit. The kernel is extern "C".
std::string writeCuda(const Module& module, const CudaTextOptions& options = {});

// The kernel's name in that text.
std::string cudaName(const Module& module, bool inPairs = false);

// What a translation unit with this body begins with: what of kiln's own the body uses.
std::string cudaPrelude(std::string_view body, bool isNarrow = false);

}  // namespace kiln::gpu
