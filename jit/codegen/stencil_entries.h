// The C functions that quick code is entered by, written in assembly: they make its native frame, hand over the arguments, run
// the stencils that follow, and return what these leave in the frame.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "jit/quick/stencil_set.h"

namespace kiln {

bool isEntry(Piece piece);
// Adds the entry to the module.
void makeEntry(Piece piece, int variant, const std::string& name, llvm::Module& module);

}  // namespace kiln
