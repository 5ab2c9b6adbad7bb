// The sign of a nan. To LLVM it means nothing, and a change of sign may be drawn into sums, products and quotients; in Python only the
// unary minus changes it.
#pragma once

#include <llvm/IR/Module.h>

namespace kiln {

// After LLVM's passes: puts what negates a number next to it, where it takes one instruction.
void sinkSignMasks(llvm::Module& module);

}  // namespace kiln
