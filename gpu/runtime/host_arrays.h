// Arguments in the host's memory, for a kernel on a GPU: copied there before the launch, and back if it writes them.
#pragma once

#include <algorithm>
#include <vector>

#include "gpu/runtime/arguments.h"
#include "gpu/runtime/backend.h"

namespace kiln::gpu {

// For one launch; the device memory goes with it. Needs no GIL.
class HostArrays {
   public:
    HostArrays(Backend& backend, uintptr_t stream) : backend_(backend), stream_(stream) {}
    HostArrays(const HostArrays&) = delete;
    HostArrays& operator=(const HostArrays&) = delete;
    ~HostArrays();

    // Makes the host arrays of `arguments` mean their copies. Those that share memory share the copy.
    // What the launch fills is not copied in.
    Failure copyIn(std::vector<RawArgument>& arguments, const Function& kernel, const LaunchShape& shape);
    Failure copyOut();
    bool writesBack() const { return std::any_of(copies_.begin(), copies_.end(), [](const Copy& copy) { return copy.written; }); }
    int64_t bytesIn() const { return bytesIn_; }
    int64_t bytesOut() const { return bytesOut_; }

   private:
    struct Copy {
        uintptr_t host;   // its first byte
        int64_t bytes;
        uintptr_t device;
        bool written;
        bool filled;  // all that is seen of it
    };
    Failure find(uintptr_t host, int64_t bytes, bool written, bool filled, uintptr_t& device);

    Backend& backend_;
    uintptr_t stream_;
    std::vector<Copy> copies_;
    int64_t bytesIn_ = 0;
    int64_t bytesOut_ = 0;
};

}  // namespace kiln::gpu
