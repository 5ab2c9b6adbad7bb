// Kernels on GPUs: device memory from the driver's pools, streams, events, and the choice of a device.
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <set>

#include "gpu/driver/cuda_compiler.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/gpu_kernel.h"
#include "gpu/runtime/pinned_staging.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kLeastStaged = 64 << 10;  // the driver stages less than that by itself, without waiting
constexpr int kMemoryType = 2;              // attributes of pointers
constexpr int kMemoryManaged = 8;
constexpr int kMemoryDevice = 9;
constexpr int kMostDevices = 64;
constexpr const char* kCopyingIn = "copying to the GPU";
constexpr const char* kCopyingOut = "copying from the GPU";

thread_local int selected = 0;  // by a thread that has no context yet

// A device with what only the backend uses of it.
struct OpenDevice {
    explicit OpenDevice(std::unique_ptr<GpuDevice> opened) : device(std::move(opened)), staging(*device) {}
    std::unique_ptr<GpuDevice> device;
    PinnedStaging staging;
};

class GpuBackend final : public Backend {
public:
    GpuBackend(const CudaDriver& driver, int count, std::unique_ptr<GpuDevice> first)
        : driver_(driver), count_(std::min(count, kMostDevices)) {
        devices_[0] = new OpenDevice(std::move(first));
    }

    const char* name() const override { return "gpu"; }
    bool isHost() const override { return false; }
    int deviceCount() override { return count_; }
    // That of the thread's current context, which may be CuPy's or PyTorch's choice.
    int selectedDevice() override {
        if (count_ == 1) {
            return 0;
        }
        void* context = nullptr;
        if (driver_.CtxGetCurrent(&context) != 0 || context == nullptr) {
            return selected;
        }
        for (int i = 0; i < count_; i++) {
            OpenDevice* device = devices_[i].load(std::memory_order_acquire);
            if (device != nullptr && device->device->context() == context) {
                return i;
            }
        }
        int number = 0;
        bool isNew = driver_.CtxGetDevice(&number) == 0 && number >= 0 && number < count_ && !openDevice(number);
        return isNew && devices_[number].load()->device->context() == context ? number : selected;
    }

    Failure selectDevice(int device) override {
        if (device < 0 || device >= count_) {
            return {"IndexError",
                    "there is no GPU " + std::to_string(device) + ": this machine shows " + std::to_string(count_)};
        }
        Failure failure = openDevice(device);
        if (!failure) {
            selected = device;
            current(device).enter();
        }
        return failure;
    }

    std::unique_ptr<CompiledKernel> compile(const Module& module, const KernelOptions& options, const LaunchShape& shape,
                                            Failure& failure) override {
        return GpuKernel::make(current(), module, options, shape, failure);
    }

    Failure launch(CompiledKernel& kernel, const uint8_t* arguments, int64_t bytes, const LaunchShape& shape,
                   uintptr_t stream) override {
        return static_cast<GpuKernel&>(kernel).launch(arguments, bytes, shape, cudaHandle(stream));
    }

    Failure takeFault(CompiledKernel& kernel, uintptr_t stream, FaultRecord& record) override {
        uint64_t place = static_cast<GpuKernel&>(kernel).faultAddress();
        Failure failure = copyOut(&record, place, sizeof record, stream);
        if (!failure && record.fault != 0) {
            FaultRecord none;
            failure = copyIn(place, &none, sizeof none, stream);
        }
        return failure;
    }

    void finishTimings(CompiledKernel& kernel) override { static_cast<GpuKernel&>(kernel).finishTimings(); }

    int64_t attribute(CompiledKernel& kernel, const std::string& what) override {
        return static_cast<GpuKernel&>(kernel).attribute(what);
    }

    Failure allocate(int64_t bytes, uintptr_t& address, uintptr_t stream) override {
        uint64_t made = 0;
        GpuDevice& device = enter();
        Failure failure = device.allocate(made, static_cast<size_t>(bytes > 0 ? bytes : 1), cudaHandle(stream));
        address = made;
        return failure;
    }

    void release(uintptr_t address, uintptr_t stream) override {
        if (getpid() == owner_) {
            enter().release(address, cudaHandle(stream));
        }
    }

    Failure allocatePinned(int64_t bytes, uintptr_t& address) override {
        void* made = nullptr;
        int status = enter().driver().MemHostAlloc(&made, static_cast<size_t>(bytes > 0 ? bytes : 1), 0);
        address = reinterpret_cast<uintptr_t>(made);
        return current().check(status, "pinning " + std::to_string(bytes) + " bytes");
    }

    Failure allocateManaged(int64_t bytes, uintptr_t& address) override {
        constexpr unsigned kAttachGlobal = 1;
        uint64_t made = 0;
        int status = enter().driver().MemAllocManaged(&made, static_cast<size_t>(bytes > 0 ? bytes : 1), kAttachGlobal);
        address = made;
        return current().check(status, "allocating " + std::to_string(bytes) + " bytes of managed memory");
    }
    void releaseManaged(uintptr_t address) override {
        if (getpid() == owner_) {
            GpuDevice& device = enter();
            device.afterWork([&device, address] { device.driver().MemFree(address); });
        }
    }

    Failure allocateShareable(int64_t bytes, uintptr_t& address) override {
        uint64_t made = 0;
        int status = enter().driver().MemAlloc(&made, static_cast<size_t>(bytes > 0 ? bytes : 1));
        address = made;
        return current().check(status, "allocating " + std::to_string(bytes) + " bytes on the GPU");
    }
    void releaseShareable(uintptr_t address) override { releaseManaged(address); }

    Failure exportMemory(uintptr_t address, IpcHandle& handle, uintptr_t& begin) override {
        uint64_t start = 0;
        size_t bytes = 0;
        GpuDevice& device = enter();
        int status = driver_.MemGetAddressRange(&start, &bytes, address);
        status = status == 0 ? driver_.IpcGetMemHandle(&handle, start) : status;
        begin = start;
        Failure failure = device.check(status, "sharing device memory");
        if (failure) {  // of another library's pool, most often
            failure.message += "; other processes can open only what cuMemAlloc or cudaMalloc gave, and neither memory of a pool nor the host's";
        }
        return failure;
    }
    Failure openMemory(const IpcHandle& handle, uintptr_t& address) override {
        constexpr unsigned kLazyPeerAccess = 1;
        uint64_t place = 0;
        int status = enter().driver().IpcOpenMemHandle(&place, handle, kLazyPeerAccess);
        address = place;
        return current().check(status, "opening the device memory of another process");
    }
    void closeMemory(uintptr_t address) override {
        if (getpid() == owner_) {
            GpuDevice& device = enter();
            device.afterWork([&device, address] { device.driver().IpcCloseMemHandle(address); });
        }
    }

    void releasePinned(uintptr_t address) override {
        if (getpid() == owner_) {
            GpuDevice& device = enter();
            device.afterWork([&device, address] { device.driver().MemFreeHost(cudaHandle(address)); });
        }
    }

    Failure copyIn(uintptr_t to, const void* from, int64_t bytes, uintptr_t stream) override {
        GpuDevice& device = enter();
        auto size = static_cast<size_t>(bytes);
        bool pinned = isPinned(from);
        if (bytes >= kLeastStaged && !pinned) {
            return stagingOf(device).copyIn(to, from, size, cudaHandle(stream));
        }
        int status = bytes == 0 ? 0 : driver_.MemcpyHtoD(to, from, size, cudaHandle(stream));
        bool isRead = status != 0 || stream != 0 || !pinned;  // pinned memory is read while the call is over
        return isRead ? device.check(status, kCopyingIn) : device.waitForStream(nullptr, kCopyingIn);
    }

    // Pinned memory has everything when the stream, if there is one, gets there.
    Failure copyOut(void* to, uintptr_t from, int64_t bytes, uintptr_t stream) override {
        GpuDevice& device = enter();
        auto size = static_cast<size_t>(bytes);
        bool pinned = bytes >= kLeastStaged && isPinned(to);
        if (bytes >= kLeastStaged && !pinned) {
            return stagingOf(device).copyOut(to, from, size, cudaHandle(stream));
        }
        // The driver waits for the stream itself before it copies to memory that is not pinned, and cannot be interrupted there.
        Failure failure = pinned ? Failure() : device.waitForStream(cudaHandle(stream), kCopyingOut);
        if (!failure && bytes > 0) {
            failure = device.check(driver_.MemcpyDtoH(to, from, size, cudaHandle(stream)), kCopyingOut);
        }
        return failure || (pinned && stream != 0) ? failure : device.waitForStream(cudaHandle(stream), kCopyingOut);
    }

    Failure copyWithin(uintptr_t to, uintptr_t from, int fromDevice, int64_t bytes, uintptr_t stream) override {
        GpuDevice& device = enter();
        auto size = static_cast<size_t>(bytes);
        if (fromDevice == device.ordinal() || bytes == 0) {
            return device.check(bytes == 0 ? 0 : driver_.MemcpyDtoD(to, from, size, cudaHandle(stream)),
                                "copying on the GPU");
        }
        const char* what = "copying from one GPU to another";
        GpuDevice& other = current(fromDevice);
        {
            ContextScope scope(other);  // what makes the elements there is done first
            if (Failure failure = other.waitForAll(what)) {
                return failure;
            }
        }
        int status = driver_.MemcpyPeer(to, device.context(), from, other.context(), size, cudaHandle(stream));
        return status != 0 ? device.check(status, what)
                           : device.waitForStream(cudaHandle(stream), what);  // before the other one frees its memory
    }

    int deviceOf(uintptr_t address) override {
        int device = 0;
        bool isKnown = count_ > 1 && !isPinned(reinterpret_cast<const void*>(address)) && !isManaged(address) &&
                       driver_.PointerGetAttribute(&device, kMemoryDevice, address) == 0;
        return isKnown ? device : selectedDevice();
    }

    int bestBlock(CompiledKernel& kernel, int64_t dynamicBytes) override {
        return static_cast<GpuKernel&>(kernel).bestBlock(static_cast<size_t>(dynamicBytes));
    }

    int64_t mostCooperativeBlocks(CompiledKernel& kernel, int64_t threads, int64_t dynamicBytes) override {
        return static_cast<GpuKernel&>(kernel).mostCooperativeBlocks(threads, static_cast<size_t>(dynamicBytes));
    }

    Failure pin(uintptr_t address, int64_t bytes) override {
        int status =
            bytes == 0 ? 0 : enter().driver().MemHostRegister(cudaHandle(address), static_cast<size_t>(bytes), 0);
        return current().check(status, "pinning " + std::to_string(bytes) + " bytes");
    }
    void unpin(uintptr_t address) override {
        GpuDevice& device = enter();
        if (!device.isLeftRunning()) {
            device.driver().MemHostUnregister(cudaHandle(address));
        }
    }

    Failure synchronize(uintptr_t stream) override {
        GpuDevice& device = enter();
        const char* what = "waiting for the GPU";
        return stream != 0 ? device.waitForStream(cudaHandle(stream), what) : device.waitForAll(what);
    }

    std::string source(const Module& module, const KernelOptions& options, bool assembly, Failure& failure) override {
        std::string image;
        bool fromCache = false;
        if (!assembly) {
            return cudaText(module, options);
        }
        return compileCuda(module, options, current().architecture(), ImageKind::kPtx, {}, image, fromCache, failure) ? image : "";
    }

    Failure loadImage(const std::string& image, uintptr_t& library) override {
        void* made = nullptr;
        GpuDevice& device = enter();
        int status = driver_.LibraryLoadData(&made, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
        library = reinterpret_cast<uintptr_t>(made);
        return device.check(status, "loading code of " + std::to_string(image.size()) + " bytes");
    }
    void unloadImage(uintptr_t library) override {
        if (getpid() == owner_) {
            GpuDevice& device = enter();
            device.afterWork([&device, library] { device.driver().LibraryUnload(cudaHandle(library)); });
        }
    }
    Failure imageFunction(uintptr_t library, const std::string& name, uintptr_t& function) override {
        void* found = nullptr;
        Failure failure = withModule(library, "the function " + name, [&](void* module) {
            return driver_.ModuleGetFunction(&found, module, name.c_str());
        });
        function = reinterpret_cast<uintptr_t>(found);
        return failure;
    }
    Failure imageVariable(uintptr_t library, const std::string& name, uintptr_t& address, int64_t& bytes) override {
        uint64_t place = 0;
        size_t size = 0;
        Failure failure = withModule(library, "the variable " + name, [&](void* module) {
            return driver_.ModuleGetGlobal(&place, &size, module, name.c_str());
        });
        address = place;
        bytes = static_cast<int64_t>(size);
        return failure;
    }
    Failure functionAttribute(uintptr_t function, int number, int& value) override {
        return enter().check(driver_.FuncGetAttribute(&value, number, cudaHandle(function)), "asking about a function");
    }
    Failure functionBlocks(uintptr_t function, int threads, int64_t dynamicBytes, int& blocks) override {
        GpuDevice& device = enter();
        int status = driver_.OccupancyMaxActiveBlocks(&blocks, cudaHandle(function), threads, static_cast<size_t>(dynamicBytes));
        return device.check(status, "the occupancy of a function");
    }
    Failure setFunctionAttribute(uintptr_t function, int number, int value) override {
        return enter().check(driver_.FuncSetAttribute(cudaHandle(function), number, value), "setting a function up");
    }

    Failure makeStream(uintptr_t& stream) override {
        void* made = nullptr;
        int status = enter().driver().StreamCreate(&made, 0);
        stream = reinterpret_cast<uintptr_t>(made);
        std::lock_guard<std::mutex> lock(streamMutex_);
        streams_.insert(stream);
        return current().check(status, "making a stream");
    }
    void releaseStream(uintptr_t stream) override {
        if (getpid() == owner_) {
            std::lock_guard<std::mutex> lock(streamMutex_);
            streams_.erase(stream);
            driver_.StreamDestroy(cudaHandle(stream));
        }
    }
    // The default streams, too, wait for each other.
    bool waitsForDefault(uintptr_t stream) override {
        constexpr uintptr_t kMostSpecial = 2;
        std::lock_guard<std::mutex> lock(streamMutex_);
        return stream <= kMostSpecial || streams_.count(stream) > 0;
    }
    Failure makeEvent(uintptr_t& event) override {
        void* made = nullptr;
        int status = enter().driver().EventCreate(&made, 0);
        event = reinterpret_cast<uintptr_t>(made);
        return current().check(status, "making an event");
    }
    void releaseEvent(uintptr_t event) override {
        if (getpid() == owner_) {
            driver_.EventDestroy(cudaHandle(event));
        }
    }
    Failure recordEvent(uintptr_t event, uintptr_t stream) override {
        GpuDevice& device = enter();
        return device.check(driver_.EventRecord(cudaHandle(event), cudaHandle(stream)), "recording an event");
    }
    Failure waitForEvent(uintptr_t event, uintptr_t stream, bool onHost) override {
        GpuDevice& device = enter();
        const char* what = "waiting for an event";
        return onHost ? device.waitForEvent(cudaHandle(event), what)
                      : device.check(driver_.StreamWaitEvent(cudaHandle(stream), cudaHandle(event), 0), what);
    }
    Failure queryEvent(uintptr_t event, bool& done) override {
        constexpr int kNotReady = 600;
        int status = enter().driver().EventQuery(cudaHandle(event));
        done = status == 0;
        return status == kNotReady ? Failure() : current().check(status, "asking for an event");
    }
    Failure elapsed(uintptr_t start, uintptr_t end, double& milliseconds) override {
        float time = 0;
        int status = enter().driver().EventElapsedTime(&time, cudaHandle(start), cudaHandle(end));
        milliseconds = time;
        return current().check(status, "the time between two events");
    }

    DeviceInfo identity(int device) override { return GpuDevice::identity(driver_, device); }
    DeviceInfo device(int device) override {
        DeviceScope scope(*this, device);
        return current().info();
    }
    int deviceAttribute(int device, int number) override {
        DeviceScope scope(*this, device);
        return current().attribute(number);
    }
    uintptr_t contextHandle(int device) override {
        return openDevice(device) ? 0 : reinterpret_cast<uintptr_t>(current(device).context());
    }
    bool canAccessPeer(int device, int peer) override {
        int can = 0;
        return peer >= 0 && peer < count_ && driver_.DeviceCanAccessPeer(&can, device, peer) == 0 && can != 0;
    }
    Failure enablePeerAccess(uintptr_t context) override {
        return enter().check(driver_.CtxEnablePeerAccess(cudaHandle(context), 0), "access to another GPU's memory");
    }
    void profile(bool start) override { start ? enter().driver().ProfilerStart() : enter().driver().ProfilerStop(); }

private:
    // A thread that never selected a device has the first one, which is always open.
    GpuDevice& current() { return current(selectedDevice()); }
    GpuDevice& current(int device) { return *devices_[device].load(std::memory_order_acquire)->device; }
    PinnedStaging& stagingOf(const GpuDevice& device) {
        return devices_[device.ordinal()].load(std::memory_order_acquire)->staging;
    }
    GpuDevice& enter() {
        GpuDevice& device = current();
        device.enter();
        return device;
    }

    template <typename Ask>
    Failure withModule(uintptr_t library, const std::string& what, const Ask& ask) {
        void* module = nullptr;
        GpuDevice& device = enter();
        int status = driver_.LibraryGetModule(&module, cudaHandle(library));
        return device.check(status != 0 ? status : ask(module), what);
    }

    Failure openDevice(int device) {
        std::lock_guard<std::mutex> lock(mutex_);
        Failure failure;
        if (devices_[device].load() == nullptr) {
            std::unique_ptr<GpuDevice> opened = GpuDevice::open(driver_, device, failure);
            devices_[device] = opened != nullptr ? new OpenDevice(std::move(opened)) : nullptr;
        }
        return failure;
    }

    bool isManaged(uintptr_t address) {
        int managed = 0;
        return driver_.PointerGetAttribute(&managed, kMemoryManaged, address) == 0 && managed != 0;
    }

    bool isPinned(const void* memory) {
        constexpr unsigned kHost = 1;
        unsigned type = 0;
        return driver_.PointerGetAttribute(&type, kMemoryType, reinterpret_cast<uintptr_t>(memory)) == 0 &&
               type == kHost;
    }

    const CudaDriver& driver_;
    int count_;
    std::atomic<OpenDevice*> devices_[kMostDevices] = {};  // opened at their first use, for ever
    pid_t owner_ = getpid();
    std::mutex mutex_;
    std::mutex streamMutex_;
    std::set<uintptr_t> streams_;  // kiln's own
};

}  // namespace

std::unique_ptr<Backend> makeGpuBackend(Failure& failure) {
    const CudaDriver* driver = cudaDriver(failure);
    if (driver == nullptr) {
        return nullptr;
    }
    std::unique_ptr<GpuDevice> first = GpuDevice::open(*driver, 0, failure);
    int count = 1;
    if (first == nullptr || !findCompiler(first->architecture(), failure)) {
        return nullptr;
    }
    driver->DeviceGetCount(&count);
    return std::make_unique<GpuBackend>(*driver, count, std::move(first));
}

}  // namespace kiln::gpu
