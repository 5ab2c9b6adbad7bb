// A module of kernel IR as a cubin or PTX.
#pragma once

#include <string>

#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// For the architecture `sm` (90 is sm_90); with `ptx`, PTX for it instead of a cubin. Needs no GPU and no GIL.
bool compileCuda(const Module& module, const KernelOptions& options, int sm, bool ptx, std::string& image, Failure& failure);

// The text that compileCuda() compiles.
std::string cudaText(const Module& module, const KernelOptions& options);

}  // namespace kiln::gpu
