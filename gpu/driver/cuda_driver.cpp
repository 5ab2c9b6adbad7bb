// libcuda: opening it and its errors.
#include "gpu/driver/cuda_driver.h"

#include <dlfcn.h>

#include <mutex>

namespace kiln::gpu {
namespace {

constexpr int kStubLibrary = 34;
constexpr int kNoDevice = 100;

// Opens the library; calls nothing of it.
bool open(CudaDriver& driver, Failure& failure) {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        failure = {"CudaSupportError", std::string("NVIDIA's driver library cannot be opened: ") + dlerror()};
        return false;
    }
#define KILN_CUDA(id, name, parameters)                                                                        \
    driver.id = reinterpret_cast<decltype(driver.id)>(dlsym(library, name));                                    \
    if (driver.id == nullptr) {                                                                                 \
        failure = {"CudaSupportError", "NVIDIA's driver is too old: its library has no " name};                 \
        return false;                                                                                           \
    }
#include "gpu/driver/driver_functions.def"
#undef KILN_CUDA
    return true;
}

bool start(const CudaDriver& driver, Failure& failure) {
    int status = driver.Init(0);
    int count = 0;
    if (status == 0) {
        status = driver.DeviceGetCount(&count);
    }
    if (status == kStubLibrary) {
        failure = {"CudaSupportError", "libcuda.so.1 is the CUDA toolkit's stub, not the driver"};
    } else if (status == kNoDevice || (status == 0 && count == 0)) {
        failure = {"CudaSupportError", "NVIDIA's driver finds no GPU (CUDA_VISIBLE_DEVICES may hide it)"};
    } else if (status != 0) {
        failure = {"CudaSupportError", "NVIDIA's driver does not start: " + cudaFailure(driver, status, "cuInit").message};
    }
    return !failure;
}

}  // namespace

Failure cudaFailure(const CudaDriver& driver, int status, const char* what) {
    const char* name = nullptr;
    const char* text = nullptr;
    driver.GetErrorName(status, &name);
    driver.GetErrorString(status, &text);
    return {"CudaAPIError", std::string(what) + ": " + (name != nullptr ? name : "unknown error") + (text != nullptr ? std::string(": ") + text : ""),
            status};
}

const CudaDriver* openedCudaDriver(Failure& failure) {
    static std::mutex mutex;
    static CudaDriver driver;
    static Failure& problem = *new Failure;
    static bool isTried = false;
    std::lock_guard<std::mutex> lock(mutex);
    if (!isTried) {
        isTried = true;
        open(driver, problem);
    }
    failure = problem;
    return problem ? nullptr : &driver;
}

const CudaDriver* cudaDriver(Failure& failure) {
    static std::mutex mutex;
    static Failure& problem = *new Failure;
    static bool isTried = false;
    const CudaDriver* driver = openedCudaDriver(failure);
    if (driver == nullptr) {
        return nullptr;
    }
    std::lock_guard<std::mutex> lock(mutex);
    if (!isTried) {
        isTried = true;
        start(*driver, problem);
    }
    failure = problem;
    return problem ? nullptr : driver;
}

int driverCudaMajor() {
    Failure failure;
    int version = 0;
    const CudaDriver* driver = openedCudaDriver(failure);
    return driver != nullptr && driver->DriverGetVersion(&version) == 0 ? version / 1000 : 0;
}

}  // namespace kiln::gpu
