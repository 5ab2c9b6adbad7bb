// Compiled code of kernels for the CPU, which is kept on disk as cubins are.
#include "gpu/runtime/cpu_image.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "gpu/driver/kernel_cache.h"
#include "gpu/ir/module_key.h"
#include "interp/config.h"
#include "interp/support/executable_path.h"
#include "jit/engine/codegen_loader.h"

namespace kiln::gpu {
namespace {

// A file as it is now.
std::string versionOf(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) {
        return "none\n";
    }
    return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
           std::to_string(status.st_mtim.tv_nsec) + "\n";
}

// Of kiln itself: code means something to the kiln that made it only.
const std::string& ownVersion() {
    bool hasProc = access("/proc/self/exe", F_OK) == 0;  // it stays the file that runs when another takes its place
    static const std::string& version =
        *new std::string(versionOf(hasProc ? "/proc/self/exe" : kiln_executable_path()) + versionOf(codegenObjectPath()));
    return version;
}

// Addresses mean something in this process only, and so do rows of accesses, which checks are made for anew.
bool isCacheable(const Module& module) {
    bool hasAddresses = std::any_of(module.functions.begin(), module.functions.end(),
                                    [](const auto& function) { return !function->globals.empty(); });
    return !hasAddresses && module.accesses.empty() && !config().dumpLlvm;
}

std::string keyFor(const std::string& target, const Module& module, const int32_t* block) {
    std::string key = "CPU " + target + "\n" + ownVersion() + "block";
    for (int axis = 0; axis < 3 && block != nullptr; axis++) {
        key += " " + std::to_string(block[axis]);
    }
    return key + "\n" + keyOf(module);
}

struct Sizes {
    int64_t sharedBytes;
    int64_t bytesPerThread;
};

bool unpack(const std::string& text, CpuImage& image) {
    Sizes sizes;
    if (text.size() < sizeof sizes) {
        return false;
    }
    std::memcpy(&sizes, text.data(), sizeof sizes);
    image = {sizes.sharedBytes, sizes.bytesPerThread, text.substr(sizeof sizes)};
    return true;
}

std::string packed(const CpuImage& image) {
    Sizes sizes = {image.sharedBytes, image.bytesPerThread};
    return std::string(reinterpret_cast<const char*>(&sizes), sizeof sizes) + image.object;
}

}  // namespace

void readImageVersion() {
    ownVersion();
}

bool imageFor(KernelCodegen& codegen, const Module& module, const int32_t* block, CpuImage& image, bool& fromCache,
              std::string& error) {
    std::string target = codegen.target();
    std::string key = !target.empty() && isCacheable(module) ? keyFor(target, module, block) : "";
    std::string text;
    fromCache = !key.empty() && readCachedKernel(key, text) && unpack(text, image);
    if (fromCache) {
        return true;
    }
    if (!codegen.compile(module, block, image, error)) {
        return false;
    }
    if (!key.empty()) {
        writeCachedKernel(key, packed(image));
    }
    return true;
}

}  // namespace kiln::gpu
