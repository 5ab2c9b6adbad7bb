// The pipeline: dump, run, verify.
#include "jit/passes/pass_runner.h"

#include "jit/passes/passes.h"

namespace kiln::passes {

namespace {

constexpr Pass kPasses[] = {
#define KILN_PASS(function, name, reason) {name, function},
#include "jit/passes/passes.def"
#undef KILN_PASS
};

#ifdef KILN_DEBUG_CHECKS
constexpr bool kVerifiesEachPass = true;
#else
constexpr bool kVerifiesEachPass = false;
#endif

std::string problemAfter(const char* pass, const ir::Region& region) {
    const std::string problem = ir::verify(region);
    return problem.empty() ? "" : std::string("after ") + pass + ": " + problem;
}

}  // namespace

PassResult runPassList(ir::Region& region, std::span<const Pass> passes, const DumpHook& dump) {
    PassResult result;
    const auto inspect = [&](const char* name, bool verifies) {
        if (dump) {
            dump(name, ir::print(region));
        }
        result.problem = verifies ? problemAfter(name, region) : "";
        return result.problem.empty();
    };
    bool good = inspect("input", true);
    for (size_t index = 0; good && index < passes.size(); index++) {
        result.changed |= passes[index].run(region);
        good = inspect(passes[index].name, kVerifiesEachPass || index + 1 == passes.size());
    }
    return result;
}

PassResult runPasses(ir::Region& region, const DumpHook& dump) {
    return runPassList(region, kPasses, dump);
}

}  // namespace kiln::passes
