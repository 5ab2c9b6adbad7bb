// Opens the LLVM object and makes its compiler.
#pragma once

#include <string>

#include "jit/codegen_interface.h"

namespace kiln {

// Addresses and layout for emitted code. Needs the GIL, in the main interpreter.
CodegenEnvironment makeCodegenEnvironment();

// Has the object's pages read from disk. A fork waits while the object is being opened: that must not wait for a disk.
void readCodegenAhead();

using CreateCodegen = decltype(&kiln_create_codegen);
// nullptr with the reason in `error` when the object can't be opened. Needs no GIL. Call once; the compiler lives for ever.
CreateCodegen openCodegen(std::string& error);
// In a forked child, whose parent was in the midst of using the object: takes it away, so that openCodegen() gives one that is as
// new. Machine code stays. False when somebody else has it open.
bool closeCodegen();

// Where the LLVM object is: beside the executable, at ../lib, in the build tree and in an installation.
std::string codegenObjectPath();

}  // namespace kiln
