// The kernels' part of the module _kiln.
#pragma once

namespace kiln {

// Adds what numba.cuda asks for. Before the first import of _kiln.
void addKernelFunctions();

}  // namespace kiln
