// Arguments in the host's memory, for a kernel on a GPU.
#include "gpu/runtime/host_arrays.h"

#include <cstring>

namespace kiln::gpu {

HostArrays::~HostArrays() {
    for (const Copy& copy : copies_) {
        backend_.release(copy.device, stream_);
    }
}

namespace {

// Whether the launch stores every element of an argument before anything reads one.
bool isFilled(const std::vector<RawArgument>& arguments, size_t position, const Function& kernel,
              const LaunchShape& shape) {
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

// Every host array, from the first byte of its elements to the last one: strides may be negative.
void HostArrays::collect(std::vector<RawArgument>& arguments, const Function& kernel, const LaunchShape& shape) {
    for (size_t i = 0; i < arguments.size(); i++) {
        RawArgument& argument = arguments[i];
        if (!argument.isHost) {
            continue;
        }
        int ndim = argument.type->ndim;
        int64_t low = 0;
        int64_t high = argument.type->element->bytes();
        bool empty = false;
        for (int k = 0; k < ndim; k++) {
            int64_t reach = (argument.shape[k] - 1) * argument.strides[k];
            (reach < 0 ? low : high) += reach;
            empty = empty || argument.shape[k] == 0;
        }
        Array array = {&argument,
                       argument.data,
                       argument.data + static_cast<uintptr_t>(empty ? 0 : low),
                       empty ? 0 : high - low,
                       0,
                       kernel.writes[i],
                       isFilled(arguments, i, kernel, shape),
                       argument.type->layout != Layout::kA};
        arrays_.push_back(array);
    }
}

// One row for all arrays that overlap, directly or by others.
void HostArrays::merge() {
    std::vector<Array*> inOrder;
    for (Array& array : arrays_) {
        inOrder.push_back(&array);
    }
    std::stable_sort(inOrder.begin(), inOrder.end(),
                     [](const Array* a, const Array* b) { return a->first < b->first; });
    for (Array* array : inOrder) {
        uintptr_t end = array->first + static_cast<uintptr_t>(array->bytes);
        Copy* last = copies_.empty() ? nullptr : &copies_.back();
        bool overlaps = last != nullptr && array->first < last->host + static_cast<uintptr_t>(last->bytes);
        if (!overlaps) {
            copies_.push_back({array->first, array->bytes, 0, array->filled});
        } else {
            bool isSame = array->first == last->host && array->bytes == last->bytes;
            last->filled = last->filled && array->filled && isSame;
            last->bytes = std::max(last->bytes, static_cast<int64_t>(end - last->host));
        }
        array->copy = copies_.size() - 1;
    }
}

Failure HostArrays::copyIn(std::vector<RawArgument>& arguments, const Function& kernel, const LaunchShape& shape) {
    collect(arguments, kernel, shape);
    merge();
    for (Copy& copy : copies_) {
        if (Failure failure = backend_.allocate(copy.bytes, copy.device, stream_)) {
            return failure;
        }
        if (copy.filled) {
            continue;
        }
        bytesIn_ += copy.bytes;
        if (Failure failure =
                backend_.copyIn(copy.device, reinterpret_cast<const void*>(copy.host), copy.bytes, stream_)) {
            return failure;
        }
    }
    for (const Array& array : arrays_) {
        const Copy& copy = copies_[array.copy];
        array.argument->data = copy.device + (array.data - copy.host);
    }
    return {};
}

// Of an array with gaps: what lies between its elements may be another thread's.
Failure HostArrays::copyOutElements(const Array& array) {
    const Copy& copy = copies_[array.copy];
    std::vector<uint8_t> all(static_cast<size_t>(array.bytes));
    Failure failure = backend_.copyOut(all.data(), copy.device + (array.first - copy.host), array.bytes, stream_);
    failure = failure || stream_ == 0 ? failure : backend_.synchronize(stream_);
    if (failure) {
        return failure;
    }
    const RawArgument& argument = *array.argument;
    auto size = static_cast<size_t>(argument.type->element->bytes());
    const uint8_t* from = all.data() + (array.data - array.first);
    auto* to = reinterpret_cast<uint8_t*>(array.data);
    int ndim = argument.type->ndim;
    Py_ssize_t at[kMaxDimensions] = {};
    for (int k = 0; k >= 0;) {
        int64_t offset = 0;
        for (k = 0; k < ndim; k++) {
            offset += at[k] * argument.strides[k];
        }
        std::memcpy(to + offset, from + offset, size);
        for (k = ndim - 1; k >= 0 && ++at[k] == argument.shape[k]; k--) {
            at[k] = 0;
        }
    }
    return {};
}

Failure HostArrays::copyOut() {
    for (size_t i = 0; i < arrays_.size(); i++) {
        const Array& array = arrays_[i];
        bool isDone =
            std::any_of(arrays_.begin(), arrays_.begin() + static_cast<std::ptrdiff_t>(i), [&](const Array& other) {
                return other.written && other.gapless && array.gapless && other.first == array.first &&
                       other.bytes == array.bytes;
            });
        if (!array.written || array.bytes == 0 || isDone) {
            continue;
        }
        bytesOut_ += array.bytes;
        const Copy& copy = copies_[array.copy];
        Failure failure = array.gapless
                              ? backend_.copyOut(reinterpret_cast<void*>(array.first),
                                                 copy.device + (array.first - copy.host), array.bytes, stream_)
                              : copyOutElements(array);
        if (failure) {
            return failure;
        }
    }
    return stream_ != 0 && writesBack() ? backend_.synchronize(stream_)
                                        : Failure();  // pinned arrays may still be written
}

}  // namespace kiln::gpu
