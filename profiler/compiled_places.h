// Where compiled code can be: numbers of places, and the marks that it tells.
#pragma once

#include <Python.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/sample_tier.h"

namespace kiln {

// A line of a function, or of one that was inlined into it.
struct CompiledFrame {
    PyCodeObject* code = nullptr;  // NULL once destroyed
    int line = 0;
    auto operator<=>(const CompiledFrame&) const = default;
};
using CompiledFrames = std::vector<CompiledFrame>;  // innermost first

// Numbers of places, and which part of a mark's time is theirs.
using CompiledParts = std::vector<std::pair<int32_t, int>>;

// Nothing is given up: there are no more places than lines that were compiled, and few marks for each. Not thread-safe. Code objects are
// borrowed: forget() must be told of each destruction.
class CompiledPlaces {
public:
    // Never 0.
    int32_t numberOf(const CompiledFrames& frames);
    // What code of a tier tells while it is at one of the places. Never 0. Touches no Python object.
    int64_t markOf(const CompiledParts& parts, ReportTier tier);
    // One of a mark's places, each in its share of the turns; nullptr for what is no mark.
    const CompiledFrames* at(int64_t mark, uint32_t turn) const;
    static ReportTier tierOf(int64_t mark) { return mark % 2 != 0 ? ReportTier::kThorough : ReportTier::kQuick; }
    void forget(PyCodeObject* code);

private:
    std::vector<CompiledFrames> places_;
    std::vector<CompiledParts> marks_;
    std::map<CompiledFrames, int32_t> numbers_;
    std::map<CompiledParts, int64_t> markNumbers_;
    std::unordered_map<PyCodeObject*, std::vector<int32_t>> byCode_;
};

}  // namespace kiln
