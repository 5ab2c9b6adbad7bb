#include "jit/codegen/optimizer.h"

#include <llvm/IR/Verifier.h>

namespace kiln {

bool optimizeModule(llvm::Module& module, llvm::TargetMachine& machine, const Pipeline& pipeline, bool dump, std::string& error) {
    if (dump) {
        module.print(llvm::errs(), nullptr);
    }
    llvm::raw_string_ostream problems(error);
    if (llvm::verifyModule(module, &problems)) {
        error = "invalid LLVM IR: " + error;
        return false;
    }
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graph;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder passes(&machine);
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(graph);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, graph, modules);
    pipeline(passes, module, modules);
    if (dump) {
        llvm::errs() << "; optimised\n";
        module.print(llvm::errs(), nullptr);
    }
    return true;
}

}  // namespace kiln
