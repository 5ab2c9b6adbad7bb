// libcuda, opened at the first use of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/failure.h"
#include "gpu/runtime/memory_backend.h"

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

// The driver without cuInit: only what needs none may be called. nullptr with `failure` set. Thread-safe.
const CudaDriver* openedCudaDriver(Failure& failure);

// The newest CUDA major version that the driver supports; 0 where there is no driver. Starts nothing.
int driverCudaMajor();

// What a status says, with the driver's own name and number; "CudaAPIError".
Failure cudaFailure(const CudaDriver& driver, int status, const char* what);

// Numbers of the driver's interface.
enum DeviceAttribute {
    kMaxSharedMemory = 8, kClockRate = 13, kMultiprocessors = 16, kThreadsOfMultiprocessor = 39, kMajor = 75,
    kMinor = 76, kMaxSharedMemoryOptIn = 97, kMemoryPools = 115
};
enum FunctionAttribute { kFunctionThreads = 0, kFunctionShared = 1, kFunctionConstant = 2, kFunctionLocal = 3, kFunctionRegisters = 4, kFunctionDynamicShared = 8, kFunctionCarveout = 9 };

}  // namespace kiln::gpu
