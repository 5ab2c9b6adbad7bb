#include "jit/codegen/native_tools.h"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/DebugObjectManagerPlugin.h>
#include <llvm/ExecutionEngine/Orc/EPCDebugObjectRegistrar.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>

namespace kiln {
namespace {

// Notes the functions of each linked object, at their final addresses.
class SymbolCollector final : public llvm::orc::ObjectLinkingLayer::Plugin {
   public:
    explicit SymbolCollector(std::vector<CodeSymbol>& linked) : linked_(linked) {}

    void modifyPassConfig(llvm::orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                          llvm::jitlink::PassConfiguration& passes) override {
        passes.PostFixupPasses.push_back([this](llvm::jitlink::LinkGraph& graph) {
            for (llvm::jitlink::Symbol* symbol : graph.defined_symbols()) {
                if (symbol->hasName() && symbol->isCallable()) {
                    linked_.push_back({symbol->getName().str(), symbol->getAddress().toPtr<void*>(), symbol->getSize()});
                }
            }
            return llvm::Error::success();
        });
    }

    llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
    llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
        return llvm::Error::success();
    }
    void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}

   private:
    std::vector<CodeSymbol>& linked_;
};

}  // namespace

void showToNativeTools(llvm::orc::ExecutionSession& session, llvm::orc::ObjectLinkingLayer& layer,
                       std::vector<CodeSymbol>& linked) {
    layer.addPlugin(std::make_unique<SymbolCollector>(linked));
    // By its address: LLVM's own way looks the function up by name, and this object hides it.
    auto registrar = std::make_unique<llvm::orc::EPCDebugObjectRegistrar>(
        session, llvm::orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBWrapper));
    constexpr bool kRequireDebugSections = false;  // the symbols are all there is
    constexpr bool kTellAtOnce = true;
    layer.addPlugin(std::make_unique<llvm::orc::DebugObjectManagerPlugin>(session, std::move(registrar),
                                                                          kRequireDebugSections, kTellAtOnce));
}

}  // namespace kiln
