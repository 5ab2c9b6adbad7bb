// What perf and gdb are told of linked code. Nothing is set up, and nothing costs time, unless KILN_PERF asks for it.
#pragma once

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <vector>

#include "jit/codegen_interface.h"

namespace kiln {

// From now on what the layer links is registered with GDB's JIT interface, and its functions are appended to `linked`,
// which must outlive the layer; with `places`, also where their code comes from, as code_places.h marked it. Call before
// anything is linked; linking must not run on two threads at once.
void showToNativeTools(llvm::orc::ExecutionSession& session, llvm::orc::ObjectLinkingLayer& layer,
                       std::vector<CodeSymbol>& linked, bool places);

}  // namespace kiln
