#include "jit/codegen/native_tools.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/DebugObjectManagerPlugin.h>
#include <llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h>
#include <llvm/ExecutionEngine/Orc/EPCDebugObjectRegistrar.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>

namespace kiln {
namespace {

// The lines of a function are numbers of exits, and one more.
std::vector<CodePlace> placesOf(llvm::DWARFContext& lines, const llvm::jitlink::Symbol& symbol) {
    uint64_t start = symbol.getAddress().getValue();
    std::vector<CodePlace> places;
    llvm::object::SectionedAddress address = {start, llvm::object::SectionedAddress::UndefSection};
    for (const auto& [at, info] : lines.getLineInfoForAddressRange(address, symbol.getSize())) {
        if (info.Line != 0) {
            places.push_back({at - start, static_cast<ir::SnapshotId>(info.Line - 1)});
        }
    }
    return places;
}

// Notes the functions of each linked object, at their final addresses.
class SymbolCollector final : public llvm::orc::ObjectLinkingLayer::Plugin {
   public:
    SymbolCollector(std::vector<CodeSymbol>& linked, bool places) : linked_(linked), places_(places) {}

    void modifyPassConfig(llvm::orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                          llvm::jitlink::PassConfiguration& passes) override {
        passes.PostFixupPasses.push_back([this](llvm::jitlink::LinkGraph& graph) {
            collect(graph);
            return llvm::Error::success();
        });
    }

    llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
    llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
        return llvm::Error::success();
    }
    void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}

   private:
    void collect(llvm::jitlink::LinkGraph& graph) {
        size_t first = linked_.size();
        std::vector<llvm::jitlink::Symbol*> symbols;
        for (llvm::jitlink::Symbol* symbol : graph.defined_symbols()) {
            if (symbol->hasName() && symbol->isCallable()) {
                linked_.push_back({symbol->getName().str(), symbol->getAddress().toPtr<void*>(), symbol->getSize()});
                symbols.push_back(symbol);
            }
        }
        if (!places_) {
            return;
        }
        auto lines = llvm::orc::createDWARFContext(graph);
        for (size_t index = 0; lines && index < symbols.size(); index++) {
            linked_[first + index].places = placesOf(*lines->first, *symbols[index]);
        }
        llvm::consumeError(lines.takeError());
    }

    std::vector<CodeSymbol>& linked_;
    bool places_;
};

}  // namespace

void showToNativeTools(llvm::orc::ExecutionSession& session, llvm::orc::ObjectLinkingLayer& layer,
                       std::vector<CodeSymbol>& linked, bool places) {
    if (places) {
        layer.addPlugin(std::make_unique<llvm::orc::DebugInfoPreservationPlugin>());
    }
    layer.addPlugin(std::make_unique<SymbolCollector>(linked, places));
    // By its address: LLVM's own way looks the function up by name, and this object hides it.
    auto registrar = std::make_unique<llvm::orc::EPCDebugObjectRegistrar>(
        session, llvm::orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBWrapper));
    constexpr bool kRequireDebugSections = false;  // the symbols are all there is
    constexpr bool kTellAtOnce = true;
    layer.addPlugin(std::make_unique<llvm::orc::DebugObjectManagerPlugin>(session, std::move(registrar),
                                                                          kRequireDebugSections, kTellAtOnce));
}

}  // namespace kiln
