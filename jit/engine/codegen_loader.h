// Opens the LLVM object and makes its compiler.
#pragma once

#include <string>

#include "jit/codegen_interface.h"

namespace kiln {

// nullptr with the reason in `error` when the object can't be opened. Call once; the compiler lives for ever.
Codegen* loadCodegen(std::string& error);

}  // namespace kiln
