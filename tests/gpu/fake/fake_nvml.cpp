// Stands in for libnvidia-ml.so.1 in tests: FAKE_CUDA_GPUS GPUs (2), whether or not CUDA_VISIBLE_DEVICES hides some.
#include "tests/gpu/fake/fake_log.h"

#define ENTRY extern "C" __attribute__((visibility("default"))) int

ENTRY nvmlInit_v2() { return note("nvmlInit"), setting("FAKE_NVML_INIT", 0); }
ENTRY nvmlShutdown() { return 0; }
ENTRY nvmlDeviceGetCount_v2(unsigned* count) { return *count = static_cast<unsigned>(setting("FAKE_CUDA_GPUS", 2)), 0; }
ENTRY nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    return *device = reinterpret_cast<void*>(static_cast<unsigned long>(index)), 0;
}
ENTRY nvmlSystemGetDriverVersion(char* text, unsigned bytes) { return std::snprintf(text, bytes, "999.1"), 0; }
ENTRY nvmlDeviceGetName(void* device, char* name, unsigned bytes) {
    std::snprintf(name, bytes, "Fake GPU %lu", reinterpret_cast<unsigned long>(device));
    return 0;
}
ENTRY nvmlDeviceGetUUID(void* device, char* uuid, unsigned bytes) {
    std::snprintf(uuid, bytes, "GPU-%08lx-0000", 0xa0 + reinterpret_cast<unsigned long>(device));
    return 0;
}
ENTRY nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
    *major = 9 - static_cast<int>(reinterpret_cast<unsigned long>(device));
    *minor = 0;
    return 0;
}
