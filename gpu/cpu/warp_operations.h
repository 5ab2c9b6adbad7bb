// Warp operations and print, for kernels on the CPU.
#pragma once

#include <cstdint>

namespace kiln::gpu {

// See CpuRuntime in codegen_interface.h.
void runWarpOperation(int64_t op, int64_t threads, const uint8_t* active, const uint32_t* mask, const void* value,
                      int64_t valueBytes, const int32_t* argument, void* result);
void printFromKernel(int64_t kind, const char* text, int64_t bits);

}  // namespace kiln::gpu
