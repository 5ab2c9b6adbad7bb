// How a kernel's arguments lie in one buffer: as CUDA lays out parameters, and the CPU backend reads them.
//
// Scalars are aligned to their size, complex ones to their parts'. An array is its address, its shape, and, in layout A, its strides in bytes: 8 bytes each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/ir/type.h"

namespace kiln::gpu {

inline int64_t argumentBytes(const Type* type) {
    if (type->isScalar()) {
        return type->bytes();
    }
    return 8 * (1 + type->ndim * (type->layout == Layout::kA ? 2 : 1));
}

// Offsets of the arguments; the last entry is the size of all.
inline std::vector<int64_t> argumentOffsets(const std::vector<const Type*>& types) {
    std::vector<int64_t> offsets;
    int64_t next = 0;
    for (const Type* type : types) {
        int64_t align = type->isArray() ? 8 : type->isComplex() ? type->bytes() / 2 : type->bytes();
        next = (next + align - 1) / align * align;
        offsets.push_back(next);
        next += argumentBytes(type);
    }
    offsets.push_back(next);
    return offsets;
}

}  // namespace kiln::gpu
