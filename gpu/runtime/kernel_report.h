// What the report tells of kernels.
#pragma once

#include <string>

#include "gpu/runtime/kernel.h"

namespace kiln::gpu {

// Kernels are known from their making on; what they did is remembered when they go. Need the GIL.
void noteKernel(const Kernel* kernel);
void forgetKernel(const Kernel* kernel);

// A table of all kernels that were launched, the costliest first; empty when there was none. Needs the GIL, or the end of
// the interpreter.
std::string kernelReport();

// With KILN_REPORT=1, prints the table on stderr at the end of the process. Once, with the GIL.
void reportKernelsAtExit();

}  // namespace kiln::gpu
