// Compiled code of kernels for the CPU, which is kept on disk as cubins are.
#pragma once

#include <string>

#include "gpu/cpu/codegen_interface.h"

namespace kiln::gpu {

// Reads what all keys of images name. Before the first image, with the GIL: a fork amid it would leave it begun for ever in the child.
void readImageVersion();

// The code of a module for blocks of three dimensions, or with nullptr of any: from the cache, or compiled and kept there. False with
// `error` set. Thread-safe, needs no GIL.
bool imageFor(KernelCodegen& codegen, const Module& module, const int32_t* block, CpuImage& image, bool& fromCache,
              std::string& error);

}  // namespace kiln::gpu
