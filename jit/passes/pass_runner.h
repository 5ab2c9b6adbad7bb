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

struct PassResult {
    bool changed = false;
    std::string problem;  // the region is malformed: by whom, and how. Empty when it is not.
};

// Runs every pass in order. Without a hook no text is made. The region is verified before the first pass and after the last,
// under KILN_DEBUG_CHECKS after each; a malformed one goes no further.
PassResult runPasses(ir::Region& region, const DumpHook& dump = nullptr);
// The same with passes of the caller's choice.
PassResult runPassList(ir::Region& region, std::span<const Pass> passes, const DumpHook& dump = nullptr);

}  // namespace kiln::passes
