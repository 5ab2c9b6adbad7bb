#include "jit/engine/sampled_places.h"

#include <map>
#include <utility>

#include "jit/passes/mark_places.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

// So much of other places gets a mark: a store then costs a few per cent of that. An operation of quick code takes four times as long.
constexpr int kLeastThoroughWork = 16;
constexpr int kLeastQuickWork = 4;

}  // namespace

std::vector<int32_t> numbersForSampler(const std::vector<SourcePlace>& places) {
    std::map<std::pair<PyCodeObject*, int>, int> lines;  // looking one up reads the code's table from its start
    auto lineOf = [&](PyCodeObject* code, int unit) {
        auto [known, isNew] = lines.try_emplace({code, unit});
        if (isNew) {
            int line = PyCode_Addr2Line(code, unit * 2);
            known->second = line > 0 ? line : code->co_firstlineno;
        }
        return known->second;
    };
    std::vector<int32_t> numbers;
    for (const SourcePlace& place : places) {
        CompiledFrames frames;
        for (auto frame = place.rbegin(); frame != place.rend(); ++frame) {
            frames.push_back({frame->first, lineOf(frame->first, frame->second)});
        }
        numbers.push_back(numberOfPlace(frames));
    }
    return numbers;
}

void markForSampler(ir::Region& region, const std::vector<int32_t>& numbers, Tier tier) {
    bool isThorough = tier == Tier::kThorough;
    ReportTier told = isThorough ? ReportTier::kThorough : ReportTier::kQuick;
    passes::markPlaces(region, {.numbers = numbers,
                                .leastWork = isThorough ? kLeastThoroughWork : kLeastQuickWork,
                                .markOf = [told](const passes::PlaceShares& shares) { return markOfPlaces(shares, told); }});
}

}  // namespace kiln
