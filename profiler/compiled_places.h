// Where compiled code can be: numbers that it tells, for lines of functions.
#pragma once

#include <Python.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace kiln {

// A line of a function, or of one that was inlined into it.
struct CompiledFrame {
    PyCodeObject* code = nullptr;  // NULL once destroyed
    int line = 0;
    auto operator<=>(const CompiledFrame&) const = default;
};
using CompiledFrames = std::vector<CompiledFrame>;  // innermost first

// What compiled code tells: a number, and which tier it is of.
constexpr int32_t markOf(int32_t place, bool isThorough) {
    return place * 2 + (isThorough ? 1 : 0);
}

// Numbers are never used again: there are no more of them than lines that were compiled. Not thread-safe. Code objects are borrowed:
// forget() must be told of each destruction.
class CompiledPlaces {
public:
    // Never 0.
    int32_t numberOf(const CompiledFrames& frames);
    // By mark; nullptr for what is none. `isThorough` tells the tier.
    const CompiledFrames* at(int64_t mark, bool& isThorough) const;
    void forget(PyCodeObject* code);

private:
    std::vector<CompiledFrames> places_;
    std::map<CompiledFrames, int32_t> numbers_;
    std::unordered_map<PyCodeObject*, std::vector<int32_t>> byCode_;
};

}  // namespace kiln
