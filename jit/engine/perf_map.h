// /tmp/perf-PID.map: the names of compiled code for perf. Written only when KILN_PERF asks for it.
#pragma once

#include <vector>

#include "jit/codegen_interface.h"

namespace kiln {

// Appends code that stays where it is for the rest of the process. A forked child gets a map of its own that starts with
// all that its parent had. Thread-safe; needs no GIL. A map that cannot be written is logged; the program goes on.
void addToPerfMap(const std::vector<CodeSymbol>& symbols);

}  // namespace kiln
