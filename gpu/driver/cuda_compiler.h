// A module of kernel IR as a cubin, PTX or LTO-IR.
#pragma once

#include <string>

#include "gpu/driver/nvrtc.h"
#include "gpu/runtime/code_backend.h"

namespace kiln::gpu {

// False, with a CudaSupportError that lists every place tried, when there is no NVRTC for the architecture `sm`.
bool findCompiler(int sm, Failure& failure);

// For the architecture `sm` (90 is sm_90). Taken from the disk cache if it is there. Needs no GPU and no GIL.
bool compileCuda(const Module& module, const KernelOptions& options, int sm, ImageKind kind, std::string& image, bool& fromCache,
                 Failure& failure);

// The text that compileCuda() compiles; for launches with the form that takes two blocks at once, where there is one.
std::string cudaText(const Module& module, const KernelOptions& options, bool withPairs = false);

}  // namespace kiln::gpu
