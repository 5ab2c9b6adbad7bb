// The pipeline: dump, run, verify.
#include "jit/passes/pass_runner.h"

#include <cstdio>
#include <cstdlib>

#include "jit/passes/passes.h"

namespace kiln::passes {

namespace {

constexpr Pass kPasses[] = {
#define KILN_PASS(function, name, reason) {name, function},
#include "jit/passes/passes.def"
#undef KILN_PASS
};

#ifdef KILN_DEBUG_CHECKS
void abortIfMalformed(const ir::Region& region, const char* pass) {
    const std::string problem = ir::verify(region);
    if (!problem.empty()) {
        std::fprintf(stderr, "kiln: malformed region after %s: %s\n%s", pass, problem.c_str(),
                     ir::print(region).c_str());
        std::abort();
    }
}
#else
void abortIfMalformed(const ir::Region&, const char*) {}
#endif

}  // namespace

bool runPassList(ir::Region& region, std::span<const Pass> passes, const DumpHook& dump) {
    bool changed = false;
    const auto inspect = [&](const char* name) {
        if (dump) {
            dump(name, ir::print(region));
        }
        abortIfMalformed(region, name);
    };
    inspect("input");
    for (const Pass& pass : passes) {
        changed |= pass.run(region);
        inspect(pass.name);
    }
    return changed;
}

bool runPasses(ir::Region& region, const DumpHook& dump) {
    return runPassList(region, kPasses, dump);
}

}  // namespace kiln::passes
