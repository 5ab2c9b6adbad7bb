// Marks LLVM's instructions with the places that they come from, so that machine code can be traced back to them.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/ir/region.h"

namespace kiln {

// LLVM carries lines along: here they are numbers of exits, and one more, since 0 means none.
class CodePlaces {
public:
    CodePlaces(llvm::Module& module, llvm::Function& function, const std::string& name);
    // What the builder adds from now on is of the next exit's place.
    void begin(llvm::IRBuilder<>& builder, ir::SnapshotId snapshot);
    void end(llvm::IRBuilder<>& builder);

private:
    llvm::DIBuilder debug_;
    llvm::DISubprogram* scope_;
};

}  // namespace kiln
