#include "jit/frontend/array_views.h"

#include <algorithm>

#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// The array that the view of an entry holds, until it becomes an array itself, which may hold the base of this one instead. What is
// known of its layout is the view's own matter.
AbstractValue lender(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array) {
    if (array.head != ir::kNoId) {
        b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_array_lends, {array.head})}, ExitReason::k_type);
    }
    AbstractValue owner = copyOf(entry.kind == Kind::kView ? entry.parts[0] : entry);
    forgetArray(owner);
    return owner;
}

AbstractValue makeView(RegionBuilder& b, AbstractValue lent, const ArrayLayout& layout, Id address, const std::vector<Id>& lengths,
                       const std::vector<Id>& strides) {
    std::vector<AbstractValue> parts = {std::move(lent), AbstractValue::part(Kind::kInt, address)};
    for (const std::vector<Id>* numbers : {&lengths, &strides}) {
        for (Id number : *numbers) {
            parts.push_back(AbstractValue::part(Kind::kInt, number));
        }
    }
    AbstractValue view = virtualObject(b, Kind::kView, std::move(parts));
    view.array = layout;
    return view;
}

Id advanced(RegionBuilder& b, Id address, Id steps, Id stride) {
    return b.emit(ir::Op::k_int_add_wrap, {address, b.emit(ir::Op::k_int_mul_index, {steps, stride})});
}

// A bound of a slice as a position: from 0 to the length, or where it counts down, from -1 to the last.
Id clamped(RegionBuilder& b, Id bound, Id length, bool rises) {
    Id zero = b.constInt(0);
    Id least = rises ? zero : b.constInt(-1);
    Id most = rises ? length : b.emit(ir::Op::k_int_sub_wrap, {length, b.constInt(1)});
    Id fromEnd = b.emit(ir::Op::k_int_max, {b.emit(ir::Op::k_int_add_wrap, {bound, length}), least});
    Id fromStart = b.emit(ir::Op::k_int_min, {bound, most});
    return b.emit(ir::Op::k_int_select, {b.emit(ir::Op::k_int_lt, {bound, zero}), fromEnd, fromStart});
}

struct Extent {
    Id first;  // position
    Id length;
    Id stride;
};

// What a slice leaves of a dimension. NumPy leaves an empty one at the dimension's beginning, with the stride that it has.
Extent extentOf(RegionBuilder& b, const Selection& slice, Id length, Id stride) {
    bool rises = slice.step > 0;
    Id zero = b.constInt(0);
    Id end = b.emit(ir::Op::k_int_sub_wrap, {length, b.constInt(1)});
    Id first = slice.start != ir::kNoId ? clamped(b, slice.start, length, rises) : rises ? zero : end;
    Id last = slice.stop != ir::kNoId ? clamped(b, slice.stop, length, rises) : rises ? length : b.constInt(-1);
    Id steps = rises ? b.emit(ir::Op::k_int_sub_wrap, {last, first}) : b.emit(ir::Op::k_int_sub_wrap, {first, last});
    Id isEmpty = b.emit(ir::Op::k_int_le, {steps, zero});
    Id count = b.emit(ir::Op::k_int_max, {steps, zero});
    if (slice.step != 1) {
        Id size = b.constInt(rises ? slice.step : -slice.step);
        Id rounded = b.emit(ir::Op::k_int_add_wrap, {count, b.emit(ir::Op::k_int_sub_wrap, {size, b.constInt(1)})});
        count = slice.step == -1 ? count : b.emitExiting(ir::Op::k_int_floordiv, {rounded, size}, ExitReason::k_overflow);
        stride = b.emit(ir::Op::k_int_select, {isEmpty, stride, b.emit(ir::Op::k_int_mul_index, {stride, b.constInt(slice.step)})});
    }
    return {b.emit(ir::Op::k_int_select, {isEmpty, zero, first}), count, stride};
}

bool isWhole(const Selection& selection) {
    return selection.isSlice && selection.start == ir::kNoId && selection.stop == ir::kNoId && selection.step == 1;
}

// What these leave of an array in C order is so, too: positions, then one slice, then all of what is behind.
bool keepsOrder(const std::vector<Selection>& selections) {
    auto slice = std::ranges::find_if(selections, [](const Selection& selection) { return selection.isSlice; });
    return slice == selections.end() || (slice->step == 1 && std::all_of(slice + 1, selections.end(), isWhole));
}

}  // namespace

AbstractValue selectedView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const std::vector<Selection>& selections) {
    AbstractValue lent = lender(b, entry, array);
    Id address = arrayAddress(b, array);
    std::vector<Id> lengths;
    std::vector<Id> strides;
    for (int dimension = 0; dimension < array.layout.dimensions; dimension++) {
        auto place = static_cast<size_t>(dimension);
        const Selection selection = place < selections.size() ? selections[place] : Selection::slice(ir::kNoId, ir::kNoId);
        Id stride = arrayStride(b, array, dimension);
        if (!selection.isSlice) {
            address = advanced(b, address, selection.position, stride);
            continue;
        }
        if (isWhole(selection)) {
            lengths.push_back(arrayLength(b, array, dimension));
            strides.push_back(stride);
            continue;
        }
        Extent extent = extentOf(b, selection, arrayLength(b, array, dimension), stride);
        address = advanced(b, address, extent.first, stride);
        lengths.push_back(extent.length);
        strides.push_back(extent.stride);
    }
    ArrayLayout layout = array.layout;
    layout.dimensions = static_cast<int>(lengths.size());
    layout.contiguous = layout.contiguous && keepsOrder(selections);
    return makeView(b, std::move(lent), layout, address, lengths, strides);
}

void realizeViews(RegionBuilder& b) {
    auto nextView = [&] {
        AbstractValue view;
        forEachEntry(b.state(), [&](const AbstractValue& entry) { view = entry.kind == Kind::kView ? entry : view; });
        return view;
    };
    for (AbstractValue view = nextView(); view.kind == Kind::kView; view = nextView()) {
        realize(b, b.state(), view);
        startHere(b);
    }
}

}  // namespace kiln
