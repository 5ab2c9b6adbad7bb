// What becomes of a root whose code does not pay.
#include <numeric>
#include <ranges>

#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"

namespace kiln {

// The interpreter does as well without the code. It is recorded once more for the paths that it lacks, unless it lacks none, or has
// been already.
void JitEngine::judge(Root& root) {
    constexpr int kMostLosses = 2;
    if (root.pending != nullptr) {
        dropVersions(root);
        return;
    }
    if (!mayCompileAgain(root) || root.losses == kMostLosses || !lacksPaths(root)) {
        unswap(root);
        dropVersions(root);
        refuse(root, Refusal::k_exits, "", PyCode_Addr2Line(root.record->code, root.unit * 2));
        return;
    }
    if (session_.root != &root) {
        root.losses++;
        for (const CompiledRegion* region : root.versions) {
            widenSites(*region, std::accumulate(region->exitCounts.begin(), region->exitCounts.end(), uint64_t{0}));
        }
        unswap(root);
        dropVersions(root);
        root.state = RootState::kCounting;
        root.nextTry = root.count;  // at once: what is missing shows now
        records_.rearmLater(*root.record);
    }
}

// A loop of few rounds gains little by itself, for it is entered and left each time. What is around it takes it in: the outermost
// loop, or the function, that has few rounds for each of its own too.
Root& JitEngine::rootAround(Root& loop) {
    constexpr uint64_t kFewRounds = 8;
    CodeRecord& record = *loop.record;
    record.settleAll();
    Root* best = &loop;
    auto takesIn = [&](uint64_t rounds) { return rounds > 0 && best->interpreted / rounds < kFewRounds; };
    auto mayCome = [&](const Root& root) {
        return !root.yields() && root.versions.empty() && root.state != RootState::kBlacklisted && (root.pending != nullptr || mayCompileAgain(root));
    };
    if (loop.around != nullptr && mayCome(*loop.around)) {
        return *loop.around;  // it counts no rounds while it is compiled
    }
    const Bytecode& bytecode = record.profile().bytecode();
    const BytecodeLoop* inner = bytecode.loopAt(loop.unit);
    for (const BytecodeLoop& other : std::views::reverse(bytecode.loops())) {
        if (inner == nullptr || !other.isAround(*inner)) {
            continue;
        }
        Root& outer = record.loopRoot(other.header);
        if (!takesIn(outer.interpreted) || !mayCome(outer)) {
            return *best;
        }
        loop.around = best = &outer;
    }
    if (fitsFunctionRoot(record.code) && takesIn(record.callsInterpreted()) && mayCome(record.functionRoot())) {
        loop.around = best = &record.functionRoot();
    }
    return *best;
}

}  // namespace kiln
