// Debug information with nothing but line tables.
#include "jit/codegen/code_places.h"

#include <llvm/IR/Module.h>

namespace kiln {

CodePlaces::CodePlaces(llvm::Module& module, llvm::Function& function, const std::string& name) : debug_(module) {
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    llvm::DIFile* file = debug_.createFile("exits", "");
    debug_.createCompileUnit(llvm::dwarf::DW_LANG_Python, file, "kiln", true, "", 0, "",
                             llvm::DICompileUnit::LineTablesOnly);
    llvm::DISubroutineType* type = debug_.createSubroutineType(debug_.getOrCreateTypeArray({}));
    scope_ = debug_.createFunction(file, name, name, file, 0, type, 0, llvm::DINode::FlagZero,
                                   llvm::DISubprogram::SPFlagDefinition);
    function.setSubprogram(scope_);
}

void CodePlaces::begin(llvm::IRBuilder<>& builder, ir::SnapshotId snapshot) {
    auto line = static_cast<unsigned>(snapshot) + 1;
    builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), line, 0, scope_));
}

void CodePlaces::end(llvm::IRBuilder<>& builder) {
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    debug_.finalize();
}

}  // namespace kiln
