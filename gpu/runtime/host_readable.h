// Whether the host can read an address.
#pragma once

#include <cstdint>

namespace kiln::gpu {

// False for memory of a GPU, whose addresses mean nothing to the host. Asks the kernel: no signal is raised.
bool isHostReadable(uintptr_t address);

}  // namespace kiln::gpu
