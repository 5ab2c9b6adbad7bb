// Compiled kernels on disk, so that a program's next run need not compile.
//
// A file for each kernel, named by a hash of its key. The key is everything that the image depends on; it is stored whole,
// and compared whole, so that an equal hash does no harm. Files are written beside their place and renamed into it. The
// folder must belong to the user and be writable by nobody else: else there is no cache.
#pragma once

#include <string>

namespace kiln::gpu {

// What files are: kernels, and which compiler was chosen.
inline constexpr const char* kKernelSuffix = ".kernel";
inline constexpr const char* kCompilerSuffix = ".compiler";

// Reads the image of a key. False when there is none that is sound.
bool readCachedKernel(const std::string& key, std::string& image, const char* suffix = kKernelSuffix);
// Stores it; now and then deletes the oldest files, when all take too much room or are too many. Failures are silent: it is only a cache.
void writeCachedKernel(const std::string& key, const std::string& image, const char* suffix = kKernelSuffix);
// KILN_CACHE_DIR, or kiln/kernels in the user's cache folder. Empty when it cannot be used; `reason` says why.
std::string kernelCacheFolder(std::string& reason);

}  // namespace kiln::gpu
