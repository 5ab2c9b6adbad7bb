// The CPU backend's compiler: lowers a module, optimises it, links it with ORC.
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Scalar/InductiveRangeCheckElimination.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <chrono>
#include <mutex>

#include "gpu/cpu/codegen/kernel_lowering.h"
#include "gpu/ir/passes.h"
#include "jit/codegen/optimizer.h"

// Of the compiler's own library: LLVM may count passes of a loop in 128 bits.
extern "C" {
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
}

namespace kiln::gpu {
namespace {

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class OrcKernelCodegen final : public KernelCodegen {
   public:
    explicit OrcKernelCodegen(const CpuRuntime& runtime) : runtime_(runtime) {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
        if (!target) {
            error_ = llvm::toString(target.takeError());
            return;
        }
        target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
        target->setRelocationModel(llvm::Reloc::PIC_);
        target->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
        auto machine = target->createTargetMachine();
        llvm::orc::LLJITBuilder builder;
        builder.setJITTargetMachineBuilder(*target);
        builder.setObjectLinkingLayerCreator([](llvm::orc::ExecutionSession& session, const llvm::Triple&) {
            return std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
        });
        auto jit = builder.create();
        if (!machine || !jit) {
            error_ = llvm::toString(llvm::joinErrors(machine.takeError(), jit.takeError()));
            return;
        }
        defineDivisions(**jit);
        machine_ = std::move(*machine);
        jit_ = std::move(*jit);
    }

    bool compile(const gpu::Module& given, const int32_t* block, CpuKernel& kernel, std::string& error) override {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!jit_) {
            error = error_;
            return false;
        }
        double start = now();
        gpu::Module source = copyOf(given);
        for (auto& function : source.functions) {
            forwardVariables(*function);
            eliminateDeadCode(*function);
        }
        auto context = std::make_unique<llvm::LLVMContext>();
        auto module = std::make_unique<llvm::Module>(source.kernel().name, *context);
        module->setDataLayout(jit_->getDataLayout());
        module->setTargetTriple(machine_->getTargetTriple().str());
        std::string name = "kernel." + source.kernel().name + "." + std::to_string(++serial_);
        ModuleLowering(source, runtime_, *module, block).run(name, kernel);
        if (!optimize(*module, !source.faults.empty(), error)) {
            return false;
        }
        llvm::orc::ThreadSafeModule owned(std::move(module), std::move(context));
        llvm::orc::ResourceTrackerSP tracker = jit_->getMainJITDylib().createResourceTracker();
        if (llvm::Error failure = jit_->addIRModule(tracker, std::move(owned))) {
            error = llvm::toString(std::move(failure));
            return false;
        }
        auto entry = jit_->lookup(name);
        if (!entry) {
            error = llvm::toString(llvm::joinErrors(entry.takeError(), tracker->remove()));
            return false;
        }
        tracker->Retain();  // until release()
        kernel.code = tracker.get();
        kernel.entry = entry->toPtr<CpuEntry>();
        kernel.milliseconds = now() - start;
        return true;
    }

    void release(CpuKernel& kernel) override {
        auto* tracker = static_cast<llvm::orc::ResourceTracker*>(kernel.code);
        if (tracker != nullptr) {
            std::lock_guard<std::mutex> lock(mutex_);
            llvm::consumeError(tracker->remove());
            tracker->Release();
            kernel = CpuKernel();
        }
    }

   private:
    static void defineDivisions(llvm::orc::LLJIT& jit) {
        llvm::orc::SymbolMap symbols;
        auto add = [&](const char* name, auto* function) {
            symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
        };
        add("__udivti3", &__udivti3);
        add("__umodti3", &__umodti3);
        add("__divti3", &__divti3);
        add("__modti3", &__modti3);
        llvm::consumeError(jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
    }

    // Loops whose counters are checked against sizes become one without the checks, and one with them for the passes that fail: what is
    // left of a check would keep a loop from being vectorised.
    static void splitLoops(llvm::PassBuilder& passes) {
        passes.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& functions, llvm::OptimizationLevel) {
            functions.addPass(llvm::IRCEPass());
            functions.addPass(llvm::SimplifyCFGPass());
            functions.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
            functions.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
        });
    }

    bool optimize(llvm::Module& module, bool hasChecks, std::string& error) {
        for (llvm::Function& function : module) {
            if (!function.isDeclaration()) {
                function.addFnAttr("prefer-vector-width", "256");
            }
        }
        auto pipeline = [hasChecks](llvm::PassBuilder& passes, llvm::Module& lowered, llvm::ModuleAnalysisManager& analyses) {
            if (hasChecks) {
                splitLoops(passes);
            }
            passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(lowered, analyses);
        };
        return optimizeModule(module, *machine_, pipeline, runtime_.dumpLlvm, error);
    }

    CpuRuntime runtime_;
    std::string error_;
    std::unique_ptr<llvm::TargetMachine> machine_;
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    std::mutex mutex_;
    uint64_t serial_ = 0;
};

}  // namespace
}  // namespace kiln::gpu

extern "C" __attribute__((visibility("default"))) kiln::gpu::KernelCodegen* kiln_create_kernel_codegen(
    const kiln::gpu::CpuRuntime* runtime) {
    return new kiln::gpu::OrcKernelCodegen(*runtime);
}
