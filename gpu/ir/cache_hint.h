// What a load or store says to a GPU's caches, as PTX names it.
#pragma once

#include <cstdint>

namespace kiln::gpu {

// `bits` of Op::kLoad and Op::kStore.
enum class CacheHint : int64_t { kNone, kAll, kGlobal, kStreaming, kLastUse, kVolatile, kWriteBack, kWriteThrough };

inline const char* cacheHintName(int64_t hint) {
    static constexpr const char* kNames[] = {"", "ca", "cg", "cs", "lu", "cv", "wb", "wt"};
    return kNames[hint];
}

}  // namespace kiln::gpu
