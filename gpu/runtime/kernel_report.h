// What the report tells of kernels: a section of the profiler's report.
#pragma once

#include <string>

#include "gpu/runtime/kernel.h"
#include "profiler/report_section.h"

namespace kiln::gpu {

// Kernels are known from their making on; what they did is remembered when they go. Need the GIL.
void noteKernel(Kernel* kernel);
void forgetKernel(Kernel* kernel);

// One row for each kernel, list of argument types and device: what gpu/README.md lists.
const ReportSection& kernelSection();

// That a loop over prange runs in order, and why: once for each loop and reason. Needs the GIL.
void noteLoopInOrder(const std::string& name, const std::string& file, int line, const std::string& why);

}  // namespace kiln::gpu
