// Arguments in the host's memory, for a kernel on a GPU.
#include "gpu/runtime/host_arrays.h"

namespace kiln::gpu {

HostArrays::~HostArrays() {
    for (const Copy& copy : copies_) {
        backend_.release(copy.device, stream_);
    }
}

// An array that overlaps another in part gets a copy of its own, as in numba.
Failure HostArrays::find(uintptr_t host, int64_t bytes, bool written, bool filled, uintptr_t& device) {
    for (Copy& copy : copies_) {
        if (host >= copy.host && host + static_cast<uintptr_t>(bytes) <= copy.host + static_cast<uintptr_t>(copy.bytes)) {
            copy.written = copy.written || written;
            copy.filled = copy.filled && filled;
            device = copy.device + (host - copy.host);
            return {};
        }
    }
    Copy copy = {host, bytes, 0, written, filled};
    if (Failure failure = backend_.allocate(bytes, copy.device, stream_)) {
        return failure;
    }
    copies_.push_back(copy);
    device = copy.device;
    return {};
}

namespace {

// Whether the launch stores every element of an argument before anything reads one.
bool isFilled(const std::vector<RawArgument>& arguments, size_t position, const Function& kernel, const LaunchShape& shape) {
    const RawArgument& array = arguments[position];
    const Fill& fill = kernel.fills[position];
    int ndim = array.type->ndim;
    bool gapless = layoutOf(array.shape, array.strides, ndim, array.type->element->bytes()) != Layout::kA;
    if (fill.axes.empty() || !gapless) {
        return false;
    }
    for (int k = 0; k < ndim; k++) {
        int axis = fill.axes[static_cast<size_t>(k)];
        if (int64_t(shape.grid[axis]) * shape.block[axis] < array.shape[k]) {
            return false;
        }
    }
    for (const FillBound& bound : fill.bounds) {
        const RawArgument& other = arguments[static_cast<size_t>(bound.parameter)];
        bool plain = other.type->isInteger() && (other.type->isSigned() || other.type->bits < 64);
        int64_t limit = bound.size >= 0 ? other.shape[bound.size] : plain ? other.bits : 0;
        if (limit < array.shape[bound.dimension]) {
            return false;
        }
    }
    return true;
}

}  // namespace

Failure HostArrays::copyIn(std::vector<RawArgument>& arguments, const Function& kernel, const LaunchShape& shape) {
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
        if (Failure failure = find(first, bytes, kernel.writes[i], isFilled(arguments, i, kernel, shape), device)) {
            return failure;
        }
        argument.data = device + (argument.data - first);
    }
    for (const Copy& copy : copies_) {
        if (copy.filled) {
            continue;
        }
        bytesIn_ += copy.bytes;
        if (Failure failure = backend_.copyIn(copy.device, reinterpret_cast<const void*>(copy.host), copy.bytes, stream_)) {
            return failure;
        }
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
