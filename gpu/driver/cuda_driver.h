// libcuda, opened at the first use of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// The loaded functions, by their name in driver_functions.def without "cu".
struct CudaDriver {
#define KILN_CUDA(id, name, parameters) int(*id) parameters = nullptr;
#include "gpu/driver/driver_functions.def"
#undef KILN_CUDA
};

// The driver, initialised (cuInit), once for the process. nullptr with `failure` set: no library, only a stub of it, too
// old, or no device. Thread-safe.
const CudaDriver* cudaDriver(Failure& failure);

// What a status says, with the driver's own name and number; "CudaAPIError".
Failure cudaFailure(const CudaDriver& driver, int status, const char* what);

// Numbers of the driver's interface.
enum DeviceAttribute {
    kMaxThreadsPerBlock = 1, kMaxSharedMemory = 8, kWarpSize = 10, kClockRate = 13, kMultiprocessors = 16, kMajor = 75,
    kMinor = 76, kMaxSharedMemoryOptIn = 97, kMemoryPools = 115
};
enum FunctionAttribute { kFunctionThreads = 0, kFunctionShared = 1, kFunctionRegisters = 4, kFunctionDynamicShared = 8 };

}  // namespace kiln::gpu
