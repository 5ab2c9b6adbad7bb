// Runs the passes of passes.def over a region.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "jit/ir/region.h"

namespace kiln::passes {

struct Pass {
    const char* name;
    bool (*run)(ir::Region& region);
};

// Called with the region's text before the first pass, named "input", and after each pass.
using DumpHook = std::function<void(const char* name, const std::string& text)>;

// Runs every pass in order; returns whether any changed the region. Without a hook no text is made.
// Under KILN_DEBUG_CHECKS the region is verified before the first pass and after each; a malformed one aborts the
// process with the pass's name, the problem and the text.
bool runPasses(ir::Region& region, const DumpHook& dump = nullptr);
// The same with passes of the caller's choice.
bool runPassList(ir::Region& region, std::span<const Pass> passes, const DumpHook& dump = nullptr);

}  // namespace kiln::passes
