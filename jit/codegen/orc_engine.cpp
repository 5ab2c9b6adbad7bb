// The compiler: lowers a region, optimises it, and links it with ORC's JITLink. Pages are writable or executable, never both.
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include <chrono>
#include <cstdio>
#include <mutex>

#include "jit/codegen/llvm_failures.h"
#include "jit/codegen/lowering.h"
#include "jit/codegen/native_tools.h"
#include "jit/codegen/optimizer.h"
#include "jit/codegen/sign_changes.h"

namespace kiln {
namespace {

constexpr unsigned kMostForO2 = 6000;

constexpr const char* kQuickPasses = "function(early-cse)";

// Where no loop has strips nothing is vectorised: this gives O2's speed in a third of its time.
constexpr const char* kScalarPasses =
    "function(early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),gvn,simplifycfg,"
    "instcombine<no-verify-fixpoint>)";

// A large region is mostly exits: O1 costs a third there and loses little.
llvm::OptimizationLevel levelFor(const llvm::Module& module) {
    return module.getInstructionCount() > kMostForO2 ? llvm::OptimizationLevel::O1 : llvm::OptimizationLevel::O2;
}

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string take(llvm::Error error) {
    return llvm::toString(std::move(error));
}

class OrcEngine final : public Codegen {
   public:
    explicit OrcEngine(const CodegenEnvironment& environment) : environment_(environment) {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        llvm::InitializeNativeTargetAsmParser();
        auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
        if (!target) {
            error_ = take(target.takeError());
            return;
        }
        target->setRelocationModel(llvm::Reloc::PIC_);
        target->setCodeModel(llvm::CodeModel::Small);
        target->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
        auto machine = target->createTargetMachine();
        if (!machine) {
            error_ = take(machine.takeError());
            return;
        }
        machine_ = std::move(*machine);
        llvm::orc::LLJITBuilder builder;
        builder.setJITTargetMachineBuilder(*target);
        builder.setObjectLinkingLayerCreator([this](llvm::orc::ExecutionSession& session, const llvm::Triple&) {
            auto layer = std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
            if (environment_.nativeTools) {
                showToNativeTools(session, *layer, linked_, environment_.codePlaces);
            }
            return layer;
        });
        auto jit = builder.create();
        if (!jit) {
            error_ = take(jit.takeError());
            return;
        }
        jit_ = std::move(*jit);
        jit_->getExecutionSession().setErrorReporter(llvm::consumeError);  // whoever asked is told
    }

    CodegenResult compile(const CodegenRequest& request) override {
        std::lock_guard<std::mutex> lock(mutex_);
        CodegenResult result;
        if (!jit_ || !error_.empty()) {
            result.error = error_;
        } else if (!survivesFailures([&] { compile(request, result); }, error_)) {
            result = CodegenResult{.error = error_};
        }
        return result;
    }

    void release(void* handle) override {
        std::lock_guard<std::mutex> lock(mutex_);
        if (error_.empty()) {
            survivesFailures([&] { remove(static_cast<llvm::orc::ResourceTrackerSP*>(handle)); }, error_);
        }
    }

   private:
    static void remove(llvm::orc::ResourceTrackerSP* tracker) {
        llvm::consumeError((*tracker)->remove());
        delete tracker;
    }

    void compile(const CodegenRequest& request, CodegenResult& result) {
        double start = now();
        auto context = makeContext(result.error);
        auto module = std::make_unique<llvm::Module>(request.region->name, *context);
        module->setDataLayout(jit_->getDataLayout());
        module->setTargetTriple(machine_->getTargetTriple().str());
        std::string name = request.region->name + "#" + std::to_string(++serial_);
        Lowering lowering(environment_, request, *module);
        result.error = lowering.run(name);
        if (!result.error.empty()) {
            result.unfit = true;
            return;
        }
        const char* passes = request.tier == Tier::kQuick ? kQuickPasses : lowering.hasStrips() ? nullptr : kScalarPasses;
        if (!optimize(*module, request.tier, passes, result.error)) {
            return;
        }
        if (environment_.dumpAssembly) {
            printAssembly(*module, *machine_);
        }
        link(*module, name, request.region->isFunction, result);
        result.symbols = takeSymbols(name, request.region->name);
        result.milliseconds = now() - start;
    }

    // By the `listed` passes, or by LLVM's own pipeline.
    bool optimize(llvm::Module& module, Tier tier, const char* listed, std::string& error) {
        machine_->setOptLevel(tier == Tier::kQuick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default);
        auto pipeline = [&](llvm::PassBuilder& passes, llvm::Module& lowered, llvm::ModuleAnalysisManager& analyses) {
            if (listed != nullptr) {
                llvm::ModulePassManager few;
                llvm::cantFail(passes.parsePassPipeline(few, listed));
                few.run(lowered, analyses);
            } else {
                // A loop with a switch, which LLVM makes of comparisons with constants, is not vectorised.
                passes.registerVectorizerStartEPCallback(
                    [](llvm::FunctionPassManager& functions, llvm::OptimizationLevel) { functions.addPass(llvm::LowerSwitchPass()); });
                passes.registerOptimizerLastEPCallback([](llvm::ModulePassManager& last, llvm::OptimizationLevel) {
                    last.addPass(llvm::AlwaysInlinerPass());  // vector_functions.h
                });
                passes.buildPerModuleDefaultPipeline(levelFor(lowered)).run(lowered, analyses);
            }
            if (tier != Tier::kQuick) {
                sinkSignMasks(lowered);
            }
        };
        return optimizeModule(module, *machine_, pipeline, environment_.dumpLlvm, error);
    }

    // Generated once more, from a copy: what is linked goes straight to an object file.
    static void printAssembly(const llvm::Module& module, llvm::TargetMachine& machine) {
        llvm::SmallString<0> text;
        llvm::raw_svector_ostream stream(text);
        llvm::legacy::PassManager passes;
        std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
        if (!machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
            passes.run(*copy);
            llvm::errs() << "; assembly\n" << text;
        }
    }

    // What was linked since the last call, under the region's name: all its versions are one function to perf.
    std::vector<CodeSymbol> takeSymbols(const std::string& unique, const std::string& name) {
        std::vector<CodeSymbol> symbols = std::move(linked_);
        linked_.clear();
        for (CodeSymbol& symbol : symbols) {
            symbol.name = name + symbol.name.substr(std::min(unique.size(), symbol.name.size()));
        }
        return symbols;
    }

    void link(llvm::Module& module, const std::string& name, bool isFunction, CodegenResult& result) {
        auto object = llvm::orc::SimpleCompiler(*machine_)(module);
        if (!object) {
            result.error = take(object.takeError());
        }
        if (!result.error.empty()) {
            return;  // also what LLVM reported while it made the object
        }
        llvm::orc::ResourceTrackerSP tracker = jit_->getMainJITDylib().createResourceTracker();
        if (llvm::Error error = jit_->addObjectFile(tracker, std::move(*object))) {
            result.error = take(std::move(error));
            return;
        }
        auto entry = jit_->lookup(name);
        if (!entry) {
            result.error = take(entry.takeError());
            return;
        }
        result.entry = entry->toPtr<void*>();
        if (isFunction) {
            auto boxed = jit_->lookup(name + ".boxed");
            if (!boxed) {
                result.error = take(boxed.takeError());
                return;
            }
            result.boxedEntry = boxed->toPtr<void*>();
        }
        result.handle = new llvm::orc::ResourceTrackerSP(tracker);
        result.ok = true;
    }

    CodegenEnvironment environment_;
    std::string error_;                // why nothing can be compiled any more
    std::vector<CodeSymbol> linked_;   // since the last compilation; before the layer that fills it
    std::unique_ptr<llvm::TargetMachine> machine_;
    std::unique_ptr<llvm::orc::LLJIT> jit_;
    std::mutex mutex_;
    uint64_t serial_ = 0;
};

}  // namespace
}  // namespace kiln

extern "C" __attribute__((visibility("default"))) kiln::Codegen* kiln_create_codegen(const kiln::CodegenEnvironment* environment) {
    kiln::Codegen* engine = nullptr;
    std::string error;
    kiln::survivesFailures([&] { engine = new kiln::OrcEngine(*environment); }, error);
    return engine;
}
