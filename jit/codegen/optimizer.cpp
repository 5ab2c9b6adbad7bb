#include "jit/codegen/optimizer.h"

#include <llvm/IR/Verifier.h>
#ifdef __SANITIZE_ADDRESS__
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#endif

namespace kiln {
namespace {

// Where kiln is built with AddressSanitizer, compiled code is too: its loads and stores, not its stack or constants.
#ifdef __SANITIZE_ADDRESS__
void markForSanitizer(llvm::Module& module) {
    for (llvm::Function& function : module) {
        if (!function.isDeclaration()) {
            function.addFnAttr(llvm::Attribute::SanitizeAddress);
        }
    }
}

void sanitize(llvm::Module& module, llvm::ModuleAnalysisManager& modules) {
    static const bool kOptionsAreSet = [] {
        const char* options[] = {"kiln", "-asan-stack=0", "-asan-globals=0"};
        return llvm::cl::ParseCommandLineOptions(std::size(options), options);
    }();
    if (kOptionsAreSet) {
        llvm::AddressSanitizerOptions options;
        options.InstrumentationWithCallsThreshold = 0;  // calls are less code to generate than checks in place
        llvm::AddressSanitizerPass(options, false, false, llvm::AsanDtorKind::None, llvm::AsanCtorKind::None).run(module, modules);
    }
}
#else
void markForSanitizer(llvm::Module&) {}
void sanitize(llvm::Module&, llvm::ModuleAnalysisManager&) {}
#endif

}  // namespace

bool optimizeModule(llvm::Module& module, llvm::TargetMachine& machine, const Pipeline& pipeline, bool dump, std::string& error) {
    auto watched = [&](llvm::PassBuilder& passes, llvm::Module& given, llvm::ModuleAnalysisManager& modules) {
        markForSanitizer(given);
        pipeline(passes, given, modules);
        sanitize(given, modules);
    };
    return optimizeStencils(module, machine, watched, dump, error);
}

bool optimizeStencils(llvm::Module& module, llvm::TargetMachine& machine, const Pipeline& pipeline, bool dump, std::string& error) {
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
