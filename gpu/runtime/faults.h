// What a thread of a kernel raised, as a Python exception.
#pragma once

#include "gpu/frontend/compile_kernel.h"
#include "gpu/ir/fault_record.h"

namespace kiln::gpu {

// Always false, with the exception set: its message begins with the place and the thread, as numba has it. Needs the GIL.
bool raiseFault(const Module& module, const std::vector<Exception>& exceptions, const FaultRecord& record);

// Sets the exception as the interpreter would have raised it, with the line in its traceback. Needs the GIL.
void raiseAsPython(const Module& module, const std::vector<Exception>& exceptions, const FaultRecord& record);

}  // namespace kiln::gpu
