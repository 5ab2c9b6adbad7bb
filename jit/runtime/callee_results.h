// Results of inlined callees that the interpreter has finished: what their callers get of them.
#pragma once

#include <Python.h>

#include "interp/cpython/cpython_shim.h"
#include "jit/ir/region.h"

namespace kiln {

// Takes the callee's result, or nullptr with an exception, and changes the stack of its caller, which waits, as its instruction would.
// False with an exception: then the instruction's operands are gone, as the interpreter would have left them. `unit`: where the caller
// goes on.
bool handOver(KilnFrame* caller, PyObject* result, const ir::Region& region, const ir::FrameSnapshot& callee, int& unit);

}  // namespace kiln
