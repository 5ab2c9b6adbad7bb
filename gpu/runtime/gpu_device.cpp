// One GPU of the process.
#include "gpu/runtime/gpu_device.h"

#include <cstdio>

namespace kiln::gpu {
namespace {

constexpr int kPoolReleaseThreshold = 4;  // an attribute of memory pools

// CUmemPoolProps: pinned memory of a device.
struct PoolProperties {
    int allocationType = 1;
    int handleTypes = 0;
    int locationType = 1;
    int device = 0;
    void* security = nullptr;
    size_t mostBytes = 0;
    unsigned char reserved[56] = {};
};

// Errors after which the context is lost.
bool isSticky(int status) {
    return status == 214 || (status >= 700 && status <= 719 && status != 701 && status != 704 && status != 705);
}

std::string uuidText(const unsigned char (&bytes)[16]) {
    std::string text = "GPU";
    for (int i = 0; i < 16; i++) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        text += (i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(digits);
    }
    return text;
}

}  // namespace

GpuDevice::GpuDevice(const CudaDriver& driver, int ordinal, int device, void* context)
    : driver_(driver), ordinal_(ordinal), device_(device), context_(context) {
    architecture_ = attribute(kMajor) * 10 + attribute(kMinor);
    dynamicSharedMost_ = attribute(kMaxSharedMemoryOptIn);
    PoolProperties properties;
    properties.device = device;
    uint64_t all = ~uint64_t(0);
    if (attribute(kMemoryPools) != 0 && driver.MemPoolCreate(&pool_, &properties) == 0) {
        driver.MemPoolSetAttribute(pool_, kPoolReleaseThreshold, &all);
    } else {
        pool_ = nullptr;
    }
}

Failure GpuDevice::allocate(uint64_t& address, size_t bytes, void* stream) {
    constexpr int kOutOfMemory = 2;
    const std::string what = "allocating " + std::to_string(bytes) + " bytes on the GPU";
    auto attempt = [&] {
        return pool_ != nullptr ? driver_.MemAllocFromPool(&address, bytes, pool_, stream)
                                : driver_.MemAlloc(&address, bytes);
    };
    int status = attempt();
    if (status == kOutOfMemory) {
        if (Failure failure = waitForAll(what)) {
            return failure;
        }
        if (pool_ != nullptr) {
            driver_.MemPoolTrim(pool_, 0);
        }
        status = attempt();
    }
    return check(status, what);
}

void GpuDevice::release(uint64_t address, void* stream) const {
    pool_ != nullptr ? driver_.MemFreeAsync(address, stream) : driver_.MemFree(address);
}

std::unique_ptr<GpuDevice> GpuDevice::open(const CudaDriver& driver, int ordinal, Failure& failure) {
    int device = 0;
    void* context = nullptr;
    int status = driver.DeviceGet(&device, ordinal);
    if (status == 0) {
        status = driver.PrimaryCtxRetain(&context, device);
    }
    if (status != 0) {
        failure = cudaFailure(driver, status, "making a context on the GPU");
        failure = {"CudaSupportError", failure.message};
        return nullptr;
    }
    return std::unique_ptr<GpuDevice>(new GpuDevice(driver, ordinal, device, context));
}

int GpuDevice::attribute(int number) const {
    int value = 0;
    driver_.DeviceGetAttribute(&value, number, device_);
    return value;
}

DeviceInfo GpuDevice::identity(const CudaDriver& driver, int ordinal) {
    DeviceInfo info;
    char text[256] = "";
    unsigned char uuid[16] = {};
    int device = 0;
    int major = 0;
    int minor = 0;
    driver.DeviceGet(&device, ordinal);
    driver.DeviceGetName(text, sizeof text, device);
    driver.DeviceGetUuid(uuid, device);
    driver.DeviceGetAttribute(&major, kMajor, device);
    driver.DeviceGetAttribute(&minor, kMinor, device);
    info.name = text;
    info.uuid = uuidText(uuid);
    info.computeCapability = major * 10 + minor;
    return info;
}

DeviceInfo GpuDevice::info() const {
    DeviceInfo info = identity(driver_, ordinal_);
    info.multiprocessors = attribute(kMultiprocessors);
    info.sharedBytes = attribute(kMaxSharedMemory);
    info.clockRate = attribute(kClockRate);
    enter();
    driver_.MemGetInfo(&info.freeBytes, &info.totalBytes);
    return info;
}

Failure GpuDevice::check(int status, const std::string& what) {
    if (status == 0) {
        return {};
    }
    std::lock_guard<std::mutex> lock(mutex_);
    Failure failure = cudaFailure(driver_, status, what.c_str());
    if (!poison_.empty()) {
        failure.message += "\nThe GPU cannot be used by this process since an earlier error: " + poison_;
    } else if (isSticky(status)) {
        poison_ = "[" + std::to_string(status) + "] " + failure.message;
    }
    return failure;
}

void* GpuDevice::takeEvent() {
    std::lock_guard<std::mutex> lock(mutex_);
    void* event = nullptr;
    if (!events_.empty()) {
        event = events_.back();
        events_.pop_back();
    } else if (driver_.EventCreate(&event, 0) != 0) {
        event = nullptr;
    }
    return event;
}

void GpuDevice::giveEvent(void* event) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (event != nullptr) {
        events_.push_back(event);
    }
}

}  // namespace kiln::gpu
