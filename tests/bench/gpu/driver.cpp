// What launches cost the host in C++, by NVIDIA's driver alone. Usage: driver all SIZES; JSON, as the workers print it.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kLaunches = 256;  // before a wait, as in timing.py
constexpr int kRounds = 60;

// Empty kernels, with parameters as kiln passes arrays and scalars: an array is its address and its shape.
constexpr const char* kCode = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry three(.param .u64 a, .param .u64 m, .param .u64 b, .param .u64 n, .param .u64 c, .param .u64 k) { ret; }
.visible .entry sixteen(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4, .param .u64 p5, .param .u64 p6, .param .u64 p7,
    .param .u64 p8, .param .u64 p9, .param .u64 p10, .param .u64 p11, .param .u64 p12, .param .u64 p13, .param .u64 p14, .param .u64 p15,
    .param .u64 p16, .param .u64 p17, .param .u64 p18, .param .u64 p19, .param .u64 p20, .param .u64 p21, .param .u64 p22, .param .u64 p23,
    .param .u64 p24, .param .u64 p25, .param .u64 p26, .param .u64 p27, .param .u64 p28, .param .u64 p29, .param .u64 p30, .param .u64 p31) { ret; }
.visible .entry mixed(.param .u64 a, .param .u64 m, .param .u64 n, .param .f64 x) { ret; }
)";

void check(int status, const char* what) {
    if (status != 0) {
        std::fprintf(stderr, "%s: %d\n", what, status);
        std::exit(1);
    }
}

template <typename... Parameters>
auto function(const char* name) {
    static void* library = dlopen("libcuda.so.1", RTLD_NOW);
    void* found = library != nullptr ? dlsym(library, name) : nullptr;
    check(found == nullptr, name);
    return reinterpret_cast<int (*)(Parameters...)>(found);
}

// The best round's microseconds for one launch.
double launchMicroseconds(void* kernel, void* arguments, size_t bytes) {
    auto launch =
        function<void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**>(
            "cuLaunchKernel");
    auto wait = function<>("cuCtxSynchronize");
    void* extra[] = {reinterpret_cast<void*>(1), arguments, reinterpret_cast<void*>(2), &bytes, nullptr};
    double best = 1e9;
    for (int round = 0; round < kRounds; round++) {
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kLaunches; i++) {
            launch(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra);
        }
        best =
            std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
                               kLaunches);
        check(wait(), "cuCtxSynchronize");
    }
    return best;
}

}  // namespace

int main() {
    int device = 0;
    void* context = nullptr;
    void* module = nullptr;
    check(function<unsigned>("cuInit")(0), "cuInit");
    check(function<int*, int>("cuDeviceGet")(&device, 0), "cuDeviceGet");
    check(function<void**, int>("cuDevicePrimaryCtxRetain")(&context, device), "cuDevicePrimaryCtxRetain");
    check(function<void*>("cuCtxSetCurrent")(context), "cuCtxSetCurrent");
    check(function<void**, const void*>("cuModuleLoadData")(&module, kCode), "cuModuleLoadData");
    unsigned long long arguments[32] = {};
    double times[4];
    const char* names[] = {"nothing", "three", "mixed", "sixteen"};
    const size_t sizes[] = {0, 48, 32, 256};
    for (int i = 0; i < 4; i++) {
        void* kernel = nullptr;
        check(function<void**, void*, const char*>("cuModuleGetFunction")(&kernel, module, names[i]),
              "cuModuleGetFunction");
        times[i] = launchMicroseconds(kernel, arguments, sizes[i]);
    }
    std::printf(
        "{\"figures\": {\"launch()\": %.4f, \"launch(array, array, array)\": %.4f, \"launch(array, int, float)\": "
        "%.4f, \"launch(16 arrays)\": %.4f}, \"checks\": {}}\n",
        times[0], times[1], times[2], times[3]);
    return 0;
}
