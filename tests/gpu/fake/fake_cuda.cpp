// Stands in for libcuda.so.1 in tests: memory is the host's, all is done when a call returns, and calls are logged.
//
// One kernel does something: one whose name ends with "increment" adds 1 to each element of its first argument, an array of
// float64 in layout C with one dimension. After one whose name has "endless" in it the device never gets ready, and what would wait for
// it does not return; after "slow", not for the next thousand questions; after "faulty" all fails with status 700. FAKE_CUDA_DEVICES: how many GPUs (2). FAKE_CUDA_VERSION: of the driver (12040).
// FAKE_CUDA_INIT: what cuInit returns. FAKE_CUDA_INIT_MICROSECONDS: what it takes.
// FAKE_CUDA_MOST: bytes that an allocation can have before the pool was trimmed.
// FAKE_CUDA_TOTAL: bytes that there are, of the device's and pinned ones together (2^30).
// FAKE_CUDA_LOCAL: bytes of local memory of a kernel (0). FAKE_CUDA_RESIDENT: threads that a multiprocessor can have (39).
// FAKE_CUDA_CC: compute capability (90, the second GPU 80). FAKE_CUDA_PIN=0: no memory can be pinned.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "tests/gpu/fake/fake_log.h"

#define ENTRY extern "C" __attribute__((visibility("default"))) int

namespace {

thread_local int current = 0;             // the device in use
thread_local bool hasContext = false;
int64_t clockTicks = 0;
std::mutex memoryMutex;                   // of the next five
std::map<uintptr_t, size_t> pinned;       // ranges
std::map<uintptr_t, int> owners;          // devices of allocations
bool isTrimmed = false;
std::map<uintptr_t, size_t> shareable;    // from cuMemAlloc
std::map<uintptr_t, size_t> alive;      // bytes of what is allocated, of the device and pinned

// Whether there is room for so much more.
bool fits(size_t bytes) {
    for (auto [address, size] : alive) {
        bytes += size;
    }
    return bytes <= static_cast<size_t>(setting("FAKE_CUDA_TOTAL", 1 << 30));
}

// Whether a range begins there or before.
bool isPinned(const void* memory) {
    const std::lock_guard lock(memoryMutex);
    return pinned.upper_bound(reinterpret_cast<uintptr_t>(memory)) != pinned.begin();
}

std::atomic<bool> isBusy = false;       // for ever
std::atomic<int> questions = 0;         // that are answered with "not ready" first
std::atomic<int> loss = 0;              // the status of all that comes after an error that the context does not survive

// The driver's own waits end with the work.
int finish(const char* what) {
    while (isBusy) {
        note("stuck in %s", what);
        pause();
    }
    questions = 0;
    return loss;
}

int answer() {
    constexpr int kNotReady = 600;
    return isBusy || questions-- > 0 ? kNotReady : loss.load();
}

int deviceOf(void* context) {
    return static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1000;
}

struct Function {
    std::string name;
};

}  // namespace

ENTRY cuInit(unsigned) {
    note("cuInit");
    usleep(static_cast<unsigned>(setting("FAKE_CUDA_INIT_MICROSECONDS", 0)));
    return setting("FAKE_CUDA_INIT", 0);
}
ENTRY cuDriverGetVersion(int* version) {
    *version = setting("FAKE_CUDA_VERSION", 12040);
    return 0;
}
ENTRY cuDeviceGetCount(int* count) {
    *count = setting("FAKE_CUDA_DEVICES", 2);
    return 0;
}
ENTRY cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return 0;
}
ENTRY cuDeviceGetName(char* name, int bytes, int device) {
    std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU %d", device);
    return 0;
}
ENTRY cuDeviceGetUuid(unsigned char* uuid, int device) {
    std::memset(uuid, device + 1, 16);
    return 0;
}
ENTRY cuDeviceGetAttribute(int* value, int attribute, int device) {
    int capability = setting("FAKE_CUDA_CC", 90 - 10 * device);
    *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : attribute == 97 ? 100000 : attribute == 115 ? 1 : attribute == 39 ? setting("FAKE_CUDA_RESIDENT", 39) : attribute;
    return 0;
}
ENTRY cuDevicePrimaryCtxRetain(void** context, int device) {
    note("context %d", device);
    *context = reinterpret_cast<void*>(static_cast<uintptr_t>(1000 + device));
    return 0;
}
ENTRY cuCtxSetCurrent(void* context) {
    hasContext = context != nullptr;
    current = hasContext ? deviceOf(context) : 0;
    return 0;
}
ENTRY cuDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = device != peer;
    return 0;
}
ENTRY cuCtxEnablePeerAccess(void* peer, unsigned) {
    note("peer access %d", static_cast<int>(reinterpret_cast<uintptr_t>(peer)) - 1000);
    return 0;
}
ENTRY cuCtxGetCurrent(void** context) {
    *context = hasContext ? reinterpret_cast<void*>(static_cast<uintptr_t>(1000 + current)) : nullptr;
    return 0;
}
ENTRY cuCtxGetDevice(int* device) {
    *device = current;
    return hasContext ? 0 : 201;
}
ENTRY cuCtxSynchronize() { return finish("cuCtxSynchronize"); }
ENTRY cuModuleLoadData(void** module, const void* image) {
    *module = new std::string(static_cast<const char*>(image));
    note("load %d %.40s", current, static_cast<const char*>(image));
    return 0;
}
ENTRY cuModuleUnload(void* module) {
    finish("cuModuleUnload");
    note("unload %d", current);
    delete static_cast<std::string*>(module);
    return 0;
}
ENTRY cuLibraryLoadData(void** library, const void* image, const int*, void**, unsigned, const int*, void**, unsigned) {
    *library = new std::string(static_cast<const char*>(image));
    note("load library %d", current);
    return 0;
}
ENTRY cuLibraryGetModule(void** module, void* library) { return *module = library, 0; }
ENTRY cuLibraryUnload(void* library) {
    finish("cuLibraryUnload");
    note("unload library %d", current);
    delete static_cast<std::string*>(library);
    return 0;
}
ENTRY cuModuleGetFunction(void** function, void*, const char* name) {
    *function = new Function{name};
    return 0;
}
ENTRY cuModuleGetGlobal_v2(uint64_t* address, size_t* bytes, void*, const char*) {
    static char record[256];
    *address = reinterpret_cast<uintptr_t>(record);
    *bytes = sizeof record;
    return 0;
}
ENTRY cuFuncGetAttribute(int* value, int attribute, void*) {
    *value = attribute == 0 ? 512 : attribute == 4 ? 40 : attribute == 3 ? setting("FAKE_CUDA_LOCAL", 0) : 0;
    return 0;
}
ENTRY cuFuncSetAttribute(void*, int attribute, int value) {
    note("function attribute %d %d", attribute, value);
    return 0;
}
ENTRY cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                     unsigned dynamicBytes, void* stream, void**, void** extra) {
    const std::string& name = static_cast<Function*>(function)->name;
    note("launch %d %s %ux%ux%u %ux%ux%u %u %llu", current, name.c_str(), gx, gy, gz, bx, by, bz, dynamicBytes,
         static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(stream)));
    clockTicks += 2;
    if (loss != 0) {
        return loss;
    }
    loss = name.find("faulty") != std::string::npos ? 700 : 0;
    isBusy = isBusy || name.find("endless") != std::string::npos;
    questions = name.find("slow") != std::string::npos ? 1000 : questions.load();
    if (name.find("increment") != std::string::npos) {
        double* data = nullptr;
        int64_t count = 0;
        std::memcpy(&data, extra[1], 8);
        std::memcpy(&count, static_cast<char*>(extra[1]) + 8, 8);
        for (int64_t i = 0; i < count; i++) {
            data[i] += 1;
        }
    }
    return 0;
}
ENTRY cuLaunchKernelEx(const void* configuration, void* function, void**, void** extra) {
    const auto* words = static_cast<const unsigned*>(configuration);
    note("cooperative");
    return cuLaunchKernel(function, words[0], words[1], words[2], words[3], words[4], words[5], words[6], nullptr, nullptr, extra);
}
ENTRY cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, size_t) { return *blocks = 2, 0; }
ENTRY cuMemAllocFromPoolAsync(uint64_t* address, size_t bytes, void*, void* stream) {
    const std::lock_guard lock(memoryMutex);
    if (loss != 0) {
        return loss;
    }
    if (!fits(bytes) || (bytes > static_cast<size_t>(setting("FAKE_CUDA_MOST", 1 << 30)) && !isTrimmed)) {
        return 2;
    }
    *address = reinterpret_cast<uintptr_t>(std::malloc(bytes));
    owners[*address] = current;
    alive[*address] = bytes;
    note("allocate %d %zu %llu", current, bytes, static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(stream)));
    return 0;
}
ENTRY cuMemFreeAsync(uint64_t address, void* stream) {
    const std::lock_guard lock(memoryMutex);
    alive.erase(address);
    std::free(reinterpret_cast<void*>(address));
    note("free %d %llu", current, static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(stream)));
    return 0;
}
ENTRY cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    int status = cuMemAllocFromPoolAsync(address, bytes, nullptr, nullptr);
    const std::lock_guard lock(memoryMutex);
    if (status == 0) {
        shareable[*address] = bytes;
    }
    return status;
}
// Handles are addresses, so that a process opens its own memory.
struct IpcHandle {
    unsigned char bytes[64];
};
ENTRY cuMemGetAddressRange_v2(uint64_t* begin, size_t* bytes, uint64_t address) {
    const std::lock_guard lock(memoryMutex);
    auto after = alive.upper_bound(address);
    if (after == alive.begin()) {
        return 1;
    }
    --after;
    *begin = after->first;
    *bytes = after->second;
    return address < *begin + *bytes ? 0 : 1;
}
ENTRY cuIpcGetMemHandle(IpcHandle* handle, uint64_t address) {
    const std::lock_guard lock(memoryMutex);
    std::memcpy(handle->bytes, &address, sizeof address);
    return shareable.count(address) != 0 ? 0 : 1;
}
ENTRY cuIpcOpenMemHandle_v2(uint64_t* address, IpcHandle handle, unsigned) {
    std::memcpy(address, handle.bytes, sizeof *address);
    note("open");
    return 0;
}
ENTRY cuIpcCloseMemHandle(uint64_t) {
    note("close");
    return 0;
}
ENTRY cuMemFree_v2(uint64_t address) { return finish("cuMemFree"), cuMemFreeAsync(address, nullptr); }
ENTRY cuMemAllocManaged(uint64_t* address, size_t bytes, unsigned) {
    note("managed %zu", bytes);
    return *address = reinterpret_cast<uintptr_t>(std::malloc(bytes)), 0;
}
ENTRY cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
    const std::lock_guard lock(memoryMutex);
    if (setting("FAKE_CUDA_PIN", 1) == 0 || !fits(bytes)) {
        return 2;
    }
    *memory = std::malloc(bytes);
    alive[reinterpret_cast<uintptr_t>(*memory)] = bytes;
    pinned[reinterpret_cast<uintptr_t>(*memory)] = bytes;
    note("pin %zu", bytes);
    return 0;
}
ENTRY cuMemFreeHost(void* memory) {
    finish("cuMemFreeHost");
    const std::lock_guard lock(memoryMutex);
    note("unpin");
    pinned.erase(reinterpret_cast<uintptr_t>(memory));
    alive.erase(reinterpret_cast<uintptr_t>(memory));
    std::free(memory);
    return 0;
}
ENTRY cuMemHostRegister_v2(void* memory, size_t bytes, unsigned) {
    const std::lock_guard lock(memoryMutex);
    pinned[reinterpret_cast<uintptr_t>(memory)] = bytes;
    note("pin %zu", bytes);
    return 0;
}
ENTRY cuMemHostUnregister(void* memory) {
    finish("cuMemHostUnregister");
    const std::lock_guard lock(memoryMutex);
    note("unpin");
    pinned.erase(reinterpret_cast<uintptr_t>(memory));
    return 0;
}
ENTRY cuPointerGetAttribute(void* value, int attribute, uint64_t address) {
    const std::lock_guard lock(memoryMutex);
    auto owner = owners.find(address);
    if (attribute == 9 && owner != owners.end()) {
        std::memcpy(value, &owner->second, sizeof owner->second);
        return 0;
    }
    for (auto [begin, bytes] : pinned) {
        if (attribute == 2 && address >= begin && address < begin + bytes) {
            unsigned host = 1;
            std::memcpy(value, &host, sizeof host);
            return 0;
        }
    }
    return 1;
}
ENTRY cuMemGetInfo_v2(size_t* unused, size_t* total) {
    *unused = 1 << 30;
    *total = size_t(2) << 30;
    return 0;
}
ENTRY cuMemPoolCreate(void** pool, const void*) { return *pool = &pinned, 0; }
ENTRY cuMemPoolTrimTo(void*, size_t) {
    note("trim");
    const std::lock_guard lock(memoryMutex);
    isTrimmed = true;
    return 0;
}
ENTRY cuMemPoolSetAttribute(void*, int, void*) { return 0; }
ENTRY cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) {
    note("in %d %zu", current, bytes);
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return loss;
}
ENTRY cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) {
    if (!isPinned(to)) {
        finish("cuMemcpyDtoHAsync");
    }
    note("out %d %zu", current, bytes);
    std::memcpy(to, reinterpret_cast<void*>(from), bytes);
    return loss;
}
ENTRY cuMemcpyPeerAsync(uint64_t to, void* toContext, uint64_t from, void* fromContext, size_t bytes, void*) {
    note("peer %d %d %zu", deviceOf(toContext), deviceOf(fromContext), bytes);
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return 0;
}
ENTRY cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void*) {
    note("within %d %zu", current, bytes);
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return 0;
}
ENTRY cuStreamCreate(void** stream, unsigned) { return *stream = std::malloc(1), 0; }
ENTRY cuStreamDestroy_v2(void* stream) { return std::free(stream), 0; }
ENTRY cuStreamQuery(void*) { return note("wait"), answer(); }
ENTRY cuStreamWaitEvent(void*, void*, unsigned) { return note("stream-wait"), 0; }
ENTRY cuEventCreate(void** event, unsigned) { return *event = new int64_t(0), 0; }
ENTRY cuEventDestroy_v2(void* event) { return delete static_cast<int64_t*>(event), 0; }
ENTRY cuEventRecord(void* event, void*) { return note("record"), *static_cast<int64_t*>(event) = clockTicks, loss; }
ENTRY cuEventQuery(void*) { return answer(); }
ENTRY cuEventSynchronize(void*) { return finish("cuEventSynchronize"); }
ENTRY cuEventElapsedTime(float* milliseconds, void* start, void* end) {
    *milliseconds = static_cast<float>(*static_cast<int64_t*>(end) - *static_cast<int64_t*>(start));
    return 0;
}
ENTRY cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void*, void*, size_t, int) { return *grid = 4, *block = 384, 0; }
ENTRY cuProfilerStart() { return note("profile"), 0; }
ENTRY cuProfilerStop() { return note("no profile"), 0; }
ENTRY cuGetErrorName(int error, const char** name) { return *name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE", 0; }
ENTRY cuGetErrorString(int, const char** text) { return *text = "what a fake says", 0; }
