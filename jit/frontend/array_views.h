// Views of NumPy's arrays that exist as numbers only (Kind::kView): where their elements lie, and how many there are. So rows,
// columns and slices need no object until somebody asks for one.
#pragma once

#include <vector>

#include "jit/frontend/numpy_values.h"

namespace kiln {

// What an index says of one dimension: a position that is in range, or a slice. kNoId: a bound that is left out. Or it makes a
// dimension, of one item.
struct Selection {
    enum class Kind : uint8_t { kAt, kSlice, kNewAxis };

    Kind kind = Kind::kAt;
    Id position = ir::kNoId;
    Id start = ir::kNoId;
    Id stop = ir::kNoId;
    int64_t step = 1;         // not 0, and not beyond kMostStep either way
    Id anyStep = ir::kNoId;   // in place of `step`: known as the program runs; likewise

    static constexpr int64_t kMostStep = 1 << 30;

    static Selection at(Id position) { return {.position = position}; }
    static Selection slice(Id start, Id stop, int64_t step = 1) { return {.kind = Kind::kSlice, .start = start, .stop = stop, .step = step}; }
    static Selection newAxis() { return {.kind = Kind::kNewAxis}; }

    bool isSlice() const { return kind == Kind::kSlice; }
    bool isWhole() const { return isSlice() && start == ir::kNoId && stop == ir::kNoId && step == 1 && anyStep == ir::kNoId; }
};

// The entry as what these give of its first dimensions, by the rules of Python and NumPy for slices; not all are positions.
AbstractValue selectedView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const std::vector<Selection>& selections);
// The same where no object is made of it: what tells where its elements lie.
KnownArray selectedPart(RegionBuilder& b, const KnownArray& array, const std::vector<Selection>& selections);
// The entry with its dimensions in the opposite order.
AbstractValue transposedView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array);
// The real or the imaginary parts of a complex array.
AbstractValue complexPartView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, bool isReal);

}  // namespace kiln
