#include "jit/engine/hotness.h"

#include <algorithm>
#include <numeric>
#include <ranges>

#include "interp/config.h"
#include "jit/engine/array_use.h"
#include "jit/engine/opcode_mix.h"

namespace kiln {
namespace {

// Back-edges or calls after which code that works on numbers is recorded. A round runs one path through it, and building takes all: at
// least so often for each instruction.
constexpr uint64_t kThreshold = 1000;
constexpr uint64_t kOfNumbers = 20;
// All else gains little, for most of its time is CPython's own, and what is compiled competes for the processor's caches: it must
// go on for long.
constexpr uint64_t kLeastOfOthers = 60'000;
constexpr uint64_t kOfOthers = 600;
// But for each call that compiled code makes of a function without code an interpreter is started.
constexpr uint64_t kLeastOfWanted = 20'000;
constexpr uint64_t kOfWanted = 200;

OpcodeMix mixOf(const Root& root) {
    auto [begin, end] = root.units();
    return mixOf(root.record->code, root.record->profile().bytecode(), begin, end);
}

// Weighed when it has run for the least that may do: by then the interpreter has specialised it.
uint64_t weigh(Root& root) {
    OpcodeMix mix = mixOf(root);
    root.handlesArrays = holdsArrays(kiln_current_frame(PyThreadState_Get()));
    auto instructions = static_cast<uint64_t>(mix.all);
    if (root.handlesArrays || mix.isNumeric()) {
        return std::max(kThreshold, kOfNumbers * instructions);
    }
    return root.wanted ? std::max(kLeastOfWanted, kOfWanted * instructions) : std::max(kLeastOfOthers, kOfOthers * instructions);
}

constexpr uint64_t kExitsAlways = 3;

// Exits of its code that cost as much as building it. Building takes as long as some tens of ways out and in for each block; where the
// interpreter is much slower, what it does until the code is entered again costs more than these.
uint64_t exitsForBuild(const Root& root) {
    constexpr uint64_t kExits = 500;
    constexpr uint64_t kExitsForBlock = 30;
    constexpr uint64_t kExitsForBlockOfNumbers = 10;
    if (config().threshold != 0 || root.versions.empty()) {
        return kExits;
    }
    return std::max(kExits, (root.isNumeric ? kExitsForBlockOfNumbers : kExitsForBlock) * root.versions.front()->region.blocks.size());
}

// So many win back what leaving compiled code and entering it again costs. A way out and in takes as long as several rounds in the
// interpreter. Where most of the time is CPython's own a call gains a tenth of one, with numbers it gains several.
uint64_t roundsForExit(const Root& root) {
    return root.kind == RootKind::kLoop ? (root.isNumeric ? 8 : 48) : (root.isNumeric ? 4 : 24);
}

// What its exits cost is counted in. Each change has to pay twice as much as the one before, so that they come to an end.
bool hasPaid(const Root& root, const CompiledRegion& region) {
    constexpr int kMostDoublings = 20;
    uint64_t exits = std::accumulate(region.exitCounts.begin(), region.exitCounts.end(), uint64_t{0});
    uint64_t worth = roundsForExit(root) * (exitsForBuild(root) + exits);
    return region.quick != nullptr && !region.isCredited && region.polls() >= worth << std::min(root.changes, kMostDoublings);
}

// A loop's rounds are what its quick code has polled. Thorough code counts none: where it is due to be judged, quick code runs in
// its stead for a while.
bool isLosingLoop(ExitAccount& account, CompiledRegion& region) {
    constexpr uint64_t kExitsWatched = 64;
    if (region.tier == Tier::kQuick) {
        return account.isDue() && account.isLosing(region.polls());
    }
    if (region.quick == nullptr || (!region.isWatched && !account.isDue())) {
        return false;
    }
    if (!region.isWatched) {
        region.isWatched = true;
        region.grantBudget(kUnlimitedBudget);
        account.begin(region.polls());
    }
    if (account.exitsSince() < kExitsWatched) {
        return false;
    }
    region.isWatched = false;
    bool loses = account.isLosing(region.polls());
    region.grantBudget(0);
    return loses;
}

}  // namespace

bool hasPaid(const Root& root) {
    return std::ranges::any_of(root.versions, [&](const CompiledRegion* region) { return hasPaid(root, *region); });
}

bool worksOnNumbers(const Root& root) {
    return root.handlesArrays || mixOf(root).isNumeric();
}

uint64_t threshold(const Root& root) {
    if (config().jitAlways) {
        return 2;
    }
    if (config().threshold > 0) {
        return static_cast<uint64_t>(config().threshold);
    }
    return root.threshold != 0 ? root.threshold : kThreshold;
}

bool isCold(const Root& root) {
    return root.count < std::max(threshold(root), root.nextTry);
}

bool isHot(Root& root) {
    if (isCold(root)) {
        return false;
    }
    if (root.threshold == 0 && config().threshold == 0 && !config().jitAlways) {
        root.threshold = weigh(root);
    }
    return root.count >= threshold(root);
}

void grantUntilHot(Root& root) {
    uint64_t hot = std::max(threshold(root), root.nextTry);
    root.grant(hot > root.count + 1 ? hot - root.count - 1 : 0);
}

// In mode always, where everything is compiled, new versions of one root would take most of the time.
bool mayCompileAgain(const Root& root) {
    constexpr int kMostCompilesAlways = 6;
    return !root.settled && (config().jitAlways ? root.compiles < kMostCompilesAlways : root.attempts < kMostCompiles || hasPaid(root));
}

uint64_t leastExitsUntilHot(const Root& root) {
    return config().jitAlways ? kExitsAlways : exitsForBuild(root);
}

uint64_t exitsUntilHot(const Root& root) {
    constexpr int kMostDoublings = 8;
    return config().jitAlways ? kExitsAlways : exitsForBuild(root) << std::clamp(root.attempts - 1, 0, kMostDoublings);
}

bool missesForChange(const Root& root) {
    return root.missesInRow >= leastExitsUntilHot(root) / 2 && hasPaid(root);
}

bool missesOften(Root& root) {
    if (++root.entryMisses < leastExitsUntilHot(root) || (root.entryMisses < exitsUntilHot(root) && !missesForChange(root))) {
        return false;
    }
    root.entryMisses = 0;
    root.wasMissed = true;
    return true;
}

// Quick code counts its rounds: it was left in each, or each second. Of thorough code that is not known.
bool isLeftInEachRound(CompiledRegion& region, int exit, uint64_t count, uint64_t hot) {
    if (count % hot == hot / 2) {
        region.watchedExit = exit;
        region.watchedPolls = region.polls();
        return false;
    }
    return region.tier == Tier::kQuick && region.watchedExit == exit && region.polls() - region.watchedPolls <= hot;
}

void beginAnew(Root& root) {
    for (CompiledRegion* region : root.versions) {
        region->isCredited = region->isCredited || hasPaid(root, *region);
    }
    root.attempts = root.losses = 0;
    root.changes++;
}

// For code just compiled: by the first judgement the first has been compiled again for the path that it lacked.
void openAccount(Root& root, uint64_t entries) {
    uint64_t first = 2 * exitsForBuild(root);
    root.account = ExitAccount(roundsForExit(root), first, root.kind == RootKind::kLoop ? 0 : entries);
}

bool isLosing(Root& root, uint64_t entries) {
    if (config().jitAlways || root.versions.empty()) {
        return false;
    }
    if (root.kind == RootKind::kLoop) {
        return isLosingLoop(root.account, *root.versions.front());
    }
    return root.entries >= 0 && root.account.isDue() && root.account.isLosing(entries);
}

bool lacksPaths(const Root& root) {
    uint64_t all = 0;
    uint64_t mendable = 0;
    for (const CompiledRegion* region : root.versions) {
        for (size_t exit = 0; exit < region->exitCounts.size(); exit++) {
            auto reason = static_cast<ExitReason>(region->region.snapshots[exit].reason);
            bool isMendable = info(reason).heat != ExitHeat::kNormal || reason == ExitReason::k_entry;
            all += region->exitCounts[exit];
            mendable += isMendable ? region->exitCounts[exit] : 0;
        }
    }
    return mendable > 0 && 2 * mendable >= all;
}

}  // namespace kiln
