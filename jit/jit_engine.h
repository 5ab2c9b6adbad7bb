// The JIT's entry point for the launcher.
#pragma once

#include <vector>

#include "profiler/root.h"

namespace kiln {

// Starts counting in the main interpreter. Needs an initialised CPython and the GIL; call once.
void startJit();
// Everything known about code objects that got counted, dead ones included. Needs the GIL.
std::vector<CodeStatistics> jitStatistics();

}  // namespace kiln
