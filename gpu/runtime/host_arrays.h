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

    // Makes the host arrays of `arguments` mean their copies. Those that overlap lie in one copy, as they do on the host.
    // What the launch fills is not copied in.
    Failure copyIn(std::vector<RawArgument>& arguments, const Function& kernel, const LaunchShape& shape);
    // The elements of the arrays that the kernel writes, and nothing that lies between them.
    Failure copyOut();
    bool writesBack() const {
        return std::any_of(arrays_.begin(), arrays_.end(), [](const Array& array) { return array.written; });
    }
    int64_t bytesIn() const { return bytesIn_; }
    int64_t bytesOut() const { return bytesOut_; }

private:
    struct Array {
        RawArgument* argument;
        uintptr_t data;   // on the host
        uintptr_t first;  // its first byte
        int64_t bytes;    // from there to its last one
        size_t copy;      // its row
        bool written;
        bool filled;
        bool gapless;
    };
    // The memory of arrays that overlap.
    struct Copy {
        uintptr_t host;
        int64_t bytes;
        uintptr_t device;
        bool filled;  // all of it
    };
    void collect(std::vector<RawArgument>& arguments, const Function& kernel, const LaunchShape& shape);
    void merge();
    Failure copyOutElements(const Array& array);

    Backend& backend_;
    uintptr_t stream_;
    std::vector<Array> arrays_;
    std::vector<Copy> copies_;
    int64_t bytesIn_ = 0;
    int64_t bytesOut_ = 0;
};

}  // namespace kiln::gpu
