// Opens the LLVM object and makes its compiler.
#pragma once

#include <string>

#include "jit/codegen_interface.h"

namespace kiln {

// Addresses and layout for emitted code. Needs the GIL, in the main interpreter.
CodegenEnvironment makeCodegenEnvironment();

// nullptr with the reason in `error` when the object can't be opened. Needs no GIL. Call once; the compiler lives for ever.
Codegen* loadCodegen(const CodegenEnvironment& environment, std::string& error);

// Where the LLVM object is: beside the executable, at ../lib, in the build tree and in an installation.
std::string codegenObjectPath();

}  // namespace kiln
