// From quick code to thorough code: quick code counts its polls and calls, and what goes on running is compiled again from
// the same region, while the quick code runs on.
#include <algorithm>
#include <utility>

#include "interp/config.h"
#include "interp/support/log.h"
#include "interp/support/monotonic_clock.h"
#include "jit/engine/coverage.h"
#include "jit/engine/engine.h"
#include "jit/engine/perf_names.h"
#include "jit/engine/sampled_places.h"
#include "jit/passes/hoist_invariants.h"
#include "jit/runtime/native_scope.h"

namespace kiln {
namespace {

// Polls and calls: about as much time in quick code as the compiler is going to take, so that a program that ends before pays nothing. Of
// code that works on numbers, what a round takes and what the compiler takes both grow with the region, so that one number serves all.
constexpr int64_t kBudget = 600'000;
// A round of other code runs one path through it, and the compiler takes all: so much for each block and exit.
constexpr int64_t kBudgetForPart = 6'000;

int64_t budgetOf(const CompiledRegion& region, bool isNumeric) {
    if (config().jitAlways || config().quickOnly || region.tier == Tier::kThorough) {
        return kUnlimitedBudget;
    }
    if (config().threshold > 0) {
        return config().threshold;
    }
    size_t parts = region.region.blocks.size() + region.region.snapshots.size();
    return isNumeric ? kBudget : std::max(kBudget, kBudgetForPart * static_cast<int64_t>(parts));
}

// In mode always, where everything is compiled, thorough code is for what is short. Exits are forced in code that LLVM generates
// fast: what they restore is the same in both, and takes a tenth of the time to compile.
bool isLong(const ir::Region& region) {
    constexpr size_t kLong = 200;
    size_t instructions = 0;
    for (const ir::Block& block : region.blocks) {
        instructions += block.instructions.size();
    }
    return instructions > kLong;
}

// Stress and coverage are for what LLVM compiles, and so is AddressSanitizer.
bool stencilsDo() {
#ifdef __SANITIZE_ADDRESS__
    return false;
#else
    static const bool kCanRun = __builtin_cpu_supports("sse4.1") != 0;
    return kCanRun && !config().stressDeopt && !config().stressGc && executedOps() == nullptr;
#endif
}

// What is only for quick code is undone: thorough code is made of the region as it was.
std::unique_ptr<QuickCode> assemble(const CodegenEnvironment& environment, const CompileJob& job) {
    ir::Region& region = job.region->region;
    std::vector<ir::Block> blocks = region.blocks;
    if (!job.region->places.empty()) {
        markForSampler(region, job.region->places, Tier::kQuick);
    }
    passes::hoistInvariants(region);
    std::unique_ptr<QuickCode> code = assembleQuickCode(environment, job.request);
    region.blocks = std::move(blocks);
    return code;
}

}  // namespace

Tier JitEngine::firstTier(const CompiledRegion& region) {
    if (config().thoroughOnly || config().quickOnly) {
        return config().thoroughOnly ? Tier::kThorough : Tier::kQuick;
    }
    return config().jitAlways && !config().stressDeopt && !isLong(region.region) ? Tier::kThorough : Tier::kQuick;
}

std::unique_ptr<CompileJob> JitEngine::jobFor(CompiledRegion& region, Tier tier) {
    auto job = std::make_unique<CompileJob>();
    job->region = &region;
    job->request = {.region = &region.region, .owner = &region, .validFlag = &region.valid, .counters = counters_.data(),
                    .needsFrame = region.needsFrame,
                    .frameBytes = region.code->co_framesize * static_cast<int64_t>(sizeof(PyObject*)),
                    .executedOps = executedOps(), .tier = tier, .budget = tier == Tier::kQuick ? &region.budget : nullptr,
                    .self = region.self, .entry = &region.entry};
    return job;
}

// Quick code at once, by stencils. False where these do not do: then it is LLVM's.
bool JitEngine::assembleNow(CompileJob& job) {
    if (job.request.tier != Tier::kQuick || !stencilsDo()) {
        return false;
    }
    double start = threadMilliseconds();
    bool isWellFormed = CompileQueue::prepare(job);
    if (isWellFormed) {
        job.region->quick = assemble(queue_.environment(), job);
    }
    job.milliseconds += threadMilliseconds() - start;
    if (job.region->quick == nullptr) {
        return !isWellFormed;
    }
    QuickCode& code = *job.region->quick;
    job.region->nativeFrame = code.layout;
    job.result = {.ok = true, .entry = code.entry, .boxedEntry = code.boxedEntry};
    if (config().perf) {
        job.result.symbols.push_back({job.region->region.name, code.start(), code.size(), code.places});
        code.nameForDebugger(job.region->region.name);
    }
    return true;
}

void JitEngine::grantBudget(CompiledRegion& region) {
    auto root = rootOf_.find(&region);
    region.grantBudget(budgetOf(region, root != rootOf_.end() && root->second->isNumeric));
}

// Runs in quick code: touches no Python object. Whoever is still in code that was replaced, or thrown away, leaves at a poll.
bool JitEngine::budgetSpent(CompiledRegion& region) {
    auto found = rootOf_.find(&region);
    if (region.tier == Tier::kThorough || found == rootOf_.end()) {
        region.budget = 0;
        return true;
    }
    grantBudget(region);
    if (region.valid != 0 && !region.improving) {
        region.improving = true;
        auto job = jobFor(region, Tier::kThorough);
        job->improves = job->isPrepared = true;
        job->request.callSites = region.callSites.data();
        job->request.activationWords = region.activationWords;
        queue_.submit(std::move(job));
    }
    return false;
}

// The end of a job for better code. Without a result the quick code stays, and asks again unless the compiler failed.
void JitEngine::adoptBetter(CompileJob& job) {
    CompiledRegion& region = *job.region;
    region.improving = false;
    auto found = rootOf_.find(&region);
    if (found != rootOf_.end()) {
        found->second->compileMs += job.milliseconds;
        if (job.result.ok && region.valid != 0) {
            replaceCode(*found->second, region, job.result);
            return;
        }
        if (!job.result.error.empty()) {
            region.budget = kUnlimitedBudget;
            logMessage(LogChannel::kCompile, "%s: no thorough code: %s", region.region.name.c_str(), job.result.error.c_str());
        }
    }
    if (job.result.handle != nullptr) {
        queue_.discard({job.result.handle});
    }
}

// Loops find it at their next poll, calls at once; the quick code stays while anybody runs in it.
void JitEngine::replaceCode(Root& root, CompiledRegion& region, const CodegenResult& code) {
    const void* before = std::exchange(region.entry, code.entry);
    region.boxedEntry = code.boxedEntry;
    region.tier = Tier::kThorough;
    region.budget = 0;
    retired_.addMachineCode(std::exchange(region.codeHandle, code.handle));
    if (region.region.isFunction) {
        replaceEntries(root, region, before);
    }
    tellPerf(region, code.symbols);
    logMessage(LogChannel::kCompile, "%s unit %d: thorough code", region.region.name.c_str(), root.unit);
}

}  // namespace kiln
