// What in a kernel's code makes it slow on GPUs, for advice. Nothing here changes code.
#pragma once

#include <string>
#include <vector>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

struct SlowPlace {
    int line = 0;
    std::string name;  // of the array, or of the function
    int count = 0;     // of such places in the module; 0: there is none
};

// Arithmetic in float64 in a kernel whose arrays have narrower floats and none of float64; the first such operation.
SlowPlace findDoubles(const Module& module);

// Reads and writes of array parameters where neighbouring threads, those whose index along `axis` differs by one, are so far apart that
// each needs a transaction of its own; the first such access of the kernel.
SlowPlace findStrided(const Module& module, int axis);

// Bytes of the local arrays of the functions that are called.
int64_t localBytes(const Module& module);

}  // namespace kiln::gpu
