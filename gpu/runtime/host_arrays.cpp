// Arguments in the host's memory, for a kernel on a GPU.
#include "gpu/runtime/host_arrays.h"

namespace kiln::gpu {

HostArrays::~HostArrays() {
    for (const Copy& copy : copies_) {
        backend_.release(copy.device, stream_);
    }
}

// An array that overlaps another in part gets a copy of its own, as in numba.
Failure HostArrays::find(uintptr_t host, int64_t bytes, bool written, uintptr_t& device) {
    for (Copy& copy : copies_) {
        if (host >= copy.host && host + static_cast<uintptr_t>(bytes) <= copy.host + static_cast<uintptr_t>(copy.bytes)) {
            copy.written = copy.written || written;
            device = copy.device + (host - copy.host);
            return {};
        }
    }
    Copy copy = {host, bytes, 0, written};
    if (Failure failure = backend_.allocate(bytes, copy.device, stream_)) {
        return failure;
    }
    copies_.push_back(copy);
    device = copy.device;
    bytesIn_ += bytes;
    return backend_.copyIn(copy.device, reinterpret_cast<const void*>(host), bytes, stream_);
}

Failure HostArrays::copyIn(std::vector<RawArgument>& arguments, const std::vector<bool>& writes) {
    for (size_t i = 0; i < arguments.size(); i++) {
        RawArgument& argument = arguments[i];
        if (!argument.isHost) {
            continue;
        }
        // From the first byte of an element to the last one: strides may be negative.
        int64_t low = 0;
        int64_t high = argument.type->element->bytes();
        bool empty = false;
        for (int k = 0; k < argument.type->ndim; k++) {
            int64_t reach = (argument.shape[k] - 1) * argument.strides[k];
            (reach < 0 ? low : high) += reach;
            empty = empty || argument.shape[k] == 0;
        }
        uintptr_t device = 0;
        int64_t bytes = empty ? 0 : high - low;
        uintptr_t first = argument.data + static_cast<uintptr_t>(empty ? 0 : low);
        if (Failure failure = find(first, bytes, i < writes.size() && writes[i], device)) {
            return failure;
        }
        argument.data = device + (argument.data - first);
    }
    return {};
}

Failure HostArrays::copyOut() {
    for (const Copy& copy : copies_) {
        if (!copy.written) {
            continue;
        }
        bytesOut_ += copy.bytes;
        if (Failure failure = backend_.copyOut(reinterpret_cast<void*>(copy.host), copy.device, copy.bytes, stream_)) {
            return failure;
        }
    }
    return stream_ != 0 && writesBack() ? backend_.synchronize(stream_) : Failure();  // pinned arrays may still be written
}

}  // namespace kiln::gpu
