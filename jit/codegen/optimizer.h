// LLVM's passes over a module that has been lowered.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <string>

namespace kiln {

// Chooses the passes and runs them.
using Pipeline = std::function<void(llvm::PassBuilder&, llvm::Module&, llvm::ModuleAnalysisManager&)>;

// Verifies the module, then runs the pipeline; with `dump` both forms go to stderr. False, and the error, for a module that
// LLVM finds invalid.
bool optimizeModule(llvm::Module& module, llvm::TargetMachine& machine, const Pipeline& pipeline, bool dump, std::string& error);
// The same, but what it makes calls nothing that is not in the module: in a build with AddressSanitizer its accesses go unwatched.
bool optimizeStencils(llvm::Module& module, llvm::TargetMachine& machine, const Pipeline& pipeline, bool dump, std::string& error);

}  // namespace kiln
