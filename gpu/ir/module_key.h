// What the code of a module depends on, as one text.
#pragma once

#include <string>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Equal for modules of which the same code is made: without names, and without what tells where they were written.
std::string keyOf(const Module& module);

}  // namespace kiln::gpu
