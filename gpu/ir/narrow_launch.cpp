// Launches with small arrays and grids.
#include "gpu/ir/narrow_launch.h"

#include <algorithm>
#include <cstring>

#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

// Elements of so many bytes: whether none of the dimensions is too long by itself, and all together are not. Each launch asks.
bool isSmall(const void* shape, int ndim, int64_t elementBytes) {
    int64_t bytes = elementBytes;
    bool fits = true;
    for (int axis = 0; axis < ndim && fits; axis++) {
        int64_t size = 0;
        std::memcpy(&size, static_cast<const char*>(shape) + axis * sizeof size, sizeof size);
        fits = size <= kNarrowLaunch.arrayBytes;  // so that the product is one of 64 bits
        bytes *= std::max<int64_t>(fits ? size : 1, 1);
        fits = fits && bytes <= kNarrowLaunch.arrayBytes;
    }
    return fits;
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
        if (type->isArray() && !isSmall(arguments + offsets[i] + sizeof(uint64_t), type->ndim, type->element->bytes())) {
            return false;
        }
    }
    return true;
}

}  // namespace kiln::gpu
