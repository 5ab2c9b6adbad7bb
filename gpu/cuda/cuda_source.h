// Kernel IR as CUDA C++: readable, without headers, with #line back to the Python source.
#pragma once

#include <string>
#include <string_view>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

struct CudaTextOptions {
    int launchBounds[3] = {0, 0, 0};  // threads of a block, blocks of a multiprocessor, blocks of a cluster; 0: not given
    bool lineDirectives = true;
    bool withPairs = false;  // the form of a kernel that takes two blocks at once as well, where it has one (ir/pair_blocks.h)
};

// The whole translation unit. The kernel is extern "C".
std::string writeCuda(const Module& module, const CudaTextOptions& options = {});

// The kernel's name in that text.
std::string cudaName(const Module& module);

// That of the form that takes two blocks at once.
std::string pairedName(const Module& module);

// What a translation unit with this body begins with: what of kiln's own the body uses.
std::string cudaPrelude(std::string_view body);

}  // namespace kiln::gpu
