// What an access to memory does, for checks of it.
#pragma once

#include <cstdint>

namespace kiln::gpu {

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };

}  // namespace kiln::gpu
