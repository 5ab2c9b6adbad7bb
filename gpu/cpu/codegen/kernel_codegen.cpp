// The CPU backend's compiler: lowers a module, optimises it, links it with ORC.
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Scalar/InductiveRangeCheckElimination.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <mutex>

#include "gpu/cpu/codegen/kernel_lowering.h"
#include "gpu/ir/passes.h"
#include "jit/codegen/llvm_failures.h"
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

// Functions and words of the process that emitted code names.
std::vector<std::pair<const char*, const void*>> runtimeSymbols(const CpuRuntime& runtime) {
    const CpuChecks& checks = runtime.checks;
    return {{"kiln.warp", reinterpret_cast<const void*>(runtime.warp)},
            {"kiln.print", reinterpret_cast<const void*>(runtime.print)},
            {"kiln.raise", reinterpret_cast<const void*>(runtime.raise)},
            {"kiln.gridBarrier", reinterpret_cast<const void*>(runtime.gridBarrier)},
            {"kiln.poll", reinterpret_cast<const void*>(runtime.poll)},
            {"kiln.checkStack", reinterpret_cast<const void*>(runtime.checkStack)},
            {"kiln.stopWord", runtime.stopWord},
            {"kiln.signalWord", runtime.signalWord},
            {"kiln.noteBlock", reinterpret_cast<const void*>(checks.beginBlock)},
            {"kiln.noteBlockEnd", reinterpret_cast<const void*>(checks.endBlock)},
            {"kiln.noteAccess", reinterpret_cast<const void*>(checks.access)},
            {"kiln.noteAtomic", reinterpret_cast<const void*>(checks.atomicDone)},
            {"kiln.noteUndefined", reinterpret_cast<const void*>(checks.undefine)},
            {"kiln.noteFence", reinterpret_cast<const void*>(checks.fence)},
            {"kiln.noteBlockBarrier", reinterpret_cast<const void*>(checks.blockBarrier)},
            {"kiln.noteGridBarrier", reinterpret_cast<const void*>(checks.gridBarrier)},
            {"kiln.noteWarp", reinterpret_cast<const void*>(checks.warp)},
            {"__udivti3", reinterpret_cast<const void*>(&__udivti3)},
            {"__umodti3", reinterpret_cast<const void*>(&__umodti3)},
            {"__divti3", reinterpret_cast<const void*>(&__divti3)},
            {"__modti3", reinterpret_cast<const void*>(&__modti3)}};
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
        defineSymbols(**jit);
        machine_ = std::move(*machine);
        jit_ = std::move(*jit);
    }

    bool compile(const gpu::Module& given, const int32_t* block, CpuImage& image, std::string& error) override {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!jit_) {
            error = error_;
            return false;
        }
        gpu::Module source = copyOf(given);
        for (auto& function : source.functions) {
            forwardVariables(*function);
            eliminateDeadCode(*function);
        }
        std::string problem;
        auto context = makeContext(problem);
        auto module = std::make_unique<llvm::Module>(source.kernel().name, *context);
        module->setDataLayout(jit_->getDataLayout());
        module->setTargetTriple(machine_->getTargetTriple().str());
        ModuleLowering(source, *module, block).run(image);
        if (!optimize(*module, !source.faults.empty(), error)) {
            return false;
        }
        auto object = llvm::orc::SimpleCompiler(*machine_)(*module);
        if (!object || !problem.empty()) {
            error = problem + (object ? "" : llvm::toString(object.takeError()));
            return false;
        }
        image.object = (*object)->getBuffer().str();
        return true;
    }

    // Into a library of its own, which sees the runtime's symbols and the process's.
    bool load(const CpuImage& image, CpuKernel& kernel, std::string& error) override {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!jit_) {
            error = error_;
            return false;
        }
        auto& library = jit_->getExecutionSession().createBareJITDylib("kernel." + std::to_string(++serial_));
        library.addToLinkOrder(jit_->getMainJITDylib());
        if (llvm::orc::JITDylibSP process = jit_->getProcessSymbolsJITDylib()) {
            library.addToLinkOrder(*process);
        }
        kernel.code = &library;
        llvm::Error failure = jit_->addObjectFile(library, llvm::MemoryBuffer::getMemBufferCopy(image.object));
        auto entry =
            failure ? llvm::Expected<llvm::orc::ExecutorAddr>(std::move(failure)) : jit_->lookup(library, kEntryName);
        if (!entry) {
            error = llvm::toString(entry.takeError());
            remove(kernel);
            return false;
        }
        kernel.sharedBytes = image.sharedBytes;
        kernel.bytesPerThread = image.bytesPerThread;
        kernel.entry = entry->toPtr<CpuEntry>();
        return true;
    }

    std::string target() override {
        return machine_ == nullptr
                   ? ""
                   : std::string(LLVM_VERSION_STRING) + " " + machine_->getTargetTriple().str() + " " +
                         machine_->getTargetCPU().str() + " " + machine_->getTargetFeatureString().str();
    }

    void release(CpuKernel& kernel) override {
        std::lock_guard<std::mutex> lock(mutex_);
        remove(kernel);
    }

private:
    void remove(CpuKernel& kernel) {
        if (kernel.code != nullptr) {
            llvm::consumeError(
                jit_->getExecutionSession().removeJITDylib(*static_cast<llvm::orc::JITDylib*>(kernel.code)));
            kernel = CpuKernel();
        }
    }

    void defineSymbols(llvm::orc::LLJIT& jit) const {
        llvm::orc::SymbolMap symbols;
        for (const auto& [name, address] : runtimeSymbols(runtime_)) {
            symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                  llvm::JITSymbolFlags::Exported};
        }
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
