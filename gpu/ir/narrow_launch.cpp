// Launches with small arrays and grids.
#include "gpu/ir/narrow_launch.h"

#include <algorithm>
#include <cstring>

#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

// Elements of so many bytes: whether none of the dimensions is too long by itself, and all together are not.
bool isSmall(const int64_t* shape, int ndim, int64_t elementBytes) {
    int64_t most = kNarrowLaunch.arrayBytes / std::max<int64_t>(elementBytes, 1);
    int64_t elements = 1;
    for (int axis = 0; axis < ndim; axis++) {
        if (shape[axis] > most) {
            return false;
        }
        elements = shape[axis] == 0 ? elements : elements * shape[axis];
        if (elements > most) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool canBeNarrow(const Module& module) {
    return std::all_of(module.functions.begin(), module.functions.end(), [](const auto& function) {
        return std::all_of(function->globals.begin(), function->globals.end(), [](const GlobalArray& array) {
            return isSmall(array.shape.data(), static_cast<int>(array.shape.size()), array.type->element->bytes());
        });
    });
}

Module narrowed(const Module& module) {
    Module narrow = copyOf(module);
    for (auto& function : narrow.functions) {
        useRanges(*function, kNarrowLaunch);
        eliminateDeadCode(*function);
    }
    return narrow;
}

bool isNarrowLaunch(const std::vector<const Type*>& parameters, const std::vector<int64_t>& offsets, const uint8_t* arguments, int32_t blocks) {
    if (blocks > kNarrowLaunch.blocks) {
        return false;
    }
    for (size_t i = 0; i < parameters.size(); i++) {
        const Type* type = parameters[i];
        int64_t shape[kMaxDimensions];
        if (!type->isArray() || type->ndim == 0) {
            continue;
        }
        std::memcpy(shape, arguments + offsets[i] + sizeof(uint64_t), static_cast<size_t>(type->ndim) * sizeof shape[0]);
        if (!isSmall(shape, type->ndim, type->element->bytes())) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln::gpu
