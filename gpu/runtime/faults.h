// What a thread of a kernel raised, as a Python exception.
#pragma once

#include "gpu/frontend/compile_kernel.h"
#include "gpu/ir/fault_record.h"

namespace kiln::gpu {

// "function 'f', file F, line 3" and "tid=[0, 0, 1] ctaid=[0, 0, 0]", in the order z, y, x as numba has it.
std::string describePlace(const std::string& function, const std::string& file, int line);
std::string describeThread(const int32_t* thread, const int32_t* block);

// Always false, with the exception set: its message begins with the place and the thread, as numba has it. Needs the GIL.
bool raiseFault(const Module& module, const std::vector<Exception>& exceptions, const FaultRecord& record);

// Sets the exception as the interpreter would have raised it, with the line in its traceback. Needs the GIL.
void raiseAsPython(const Module& module, const std::vector<Exception>& exceptions, const FaultRecord& record);

}  // namespace kiln::gpu
