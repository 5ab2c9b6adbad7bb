#include "jit/frontend/array_views.h"

#include <algorithm>
#include <cstdlib>

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

AbstractValue viewOf(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const KnownArray& part) {
    std::vector<AbstractValue> parts = {lender(b, entry, array)};
    for (Id number : part.numbers) {
        parts.push_back(AbstractValue::part(Kind::kInt, number));
    }
    AbstractValue view = virtualObject(b, Kind::kView, std::move(parts));
    view.array = part.layout;
    return view;
}

KnownArray partAt(const ArrayLayout& layout, Id address, const std::vector<Id>& lengths, const std::vector<Id>& strides) {
    KnownArray part{.layout = layout, .numbers = {address}};
    part.layout.dimensions = static_cast<int>(lengths.size());
    part.numbers.insert(part.numbers.end(), lengths.begin(), lengths.end());
    part.numbers.insert(part.numbers.end(), strides.begin(), strides.end());
    return part;
}

Id advanced(RegionBuilder& b, Id address, Id steps, Id stride) {
    return b.emit(ir::Op::k_int_add_wrap, {address, b.emit(ir::Op::k_int_mul_index, {steps, stride})});
}

// Which way a slice goes, which the program may tell only as it runs.
class Direction {
public:
    Direction(RegionBuilder& b, const Selection& slice) : b_(b), rises_(slice.step > 0) {
        isUp_ = slice.anyStep != ir::kNoId ? b.emit(ir::Op::k_int_gt, {slice.anyStep, b.constInt(0)}) : ir::kNoId;
    }
    // One of both.
    Id choose(Id up, Id down) const {
        return isUp_ != ir::kNoId ? b_.emit(ir::Op::k_int_select, {isUp_, up, down}) : rises_ ? up : down;
    }

private:
    RegionBuilder& b_;
    bool rises_;
    Id isUp_;
};

// A bound of a slice as a position: from 0 to the length, or where it counts down, from -1 to the last.
Id clamped(RegionBuilder& b, Id bound, Id length, Id last, const Direction& direction) {
    Id zero = b.constInt(0);
    Id least = direction.choose(zero, b.constInt(-1));
    Id most = direction.choose(length, last);
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
    const Direction direction(b, slice);
    Id zero = b.constInt(0);
    Id end = b.emit(ir::Op::k_int_sub_wrap, {length, b.constInt(1)});
    Id first = slice.start != ir::kNoId ? clamped(b, slice.start, length, end, direction) : direction.choose(zero, end);
    Id last = slice.stop != ir::kNoId ? clamped(b, slice.stop, length, end, direction) : direction.choose(length, b.constInt(-1));
    Id way = b.emit(ir::Op::k_int_sub_wrap, {last, first});
    Id steps = direction.choose(way, b.emit(ir::Op::k_int_sub_wrap, {first, last}));
    Id isEmpty = b.emit(ir::Op::k_int_le, {steps, zero});
    Id count = b.emit(ir::Op::k_int_max, {steps, zero});
    if (slice.step != 1 || slice.anyStep != ir::kNoId) {
        bool isAny = slice.anyStep != ir::kNoId;
        Id step = isAny ? slice.anyStep : b.constInt(slice.step);
        Id size = isAny ? direction.choose(step, b.emit(ir::Op::k_int_sub_wrap, {zero, step})) : b.constInt(std::abs(slice.step));
        Id rounded = b.emit(ir::Op::k_int_add_wrap, {count, b.emit(ir::Op::k_int_sub_wrap, {size, b.constInt(1)})});
        count = slice.step == -1 ? count : b.emitExiting(ir::Op::k_int_floordiv, {rounded, size}, ExitReason::k_overflow);
        stride = b.emit(ir::Op::k_int_select, {isEmpty, stride, b.emit(ir::Op::k_int_mul_index, {stride, step})});
    }
    return {b.emit(ir::Op::k_int_select, {isEmpty, zero, first}), count, stride};
}

// What these leave of an array in C order is so, too: positions, then one slice, then all of what is behind.
bool keepsOrder(const std::vector<Selection>& selections) {
    auto isNewAxis = [](const Selection& selection) { return selection.kind == Selection::Kind::kNewAxis; };
    auto isWhole = [](const Selection& selection) { return selection.isWhole(); };
    auto slice = std::ranges::find_if(selections, &Selection::isSlice);
    bool rises = slice == selections.end() || (slice->step == 1 && slice->anyStep == ir::kNoId && std::all_of(slice + 1, selections.end(), isWhole));
    return rises && std::ranges::none_of(selections, isNewAxis);
}

// Without the dimensions that no selection says anything of.
Id selectDimensions(RegionBuilder& b, const KnownArray& array, const std::vector<Selection>& selections, std::vector<Id>& lengths,
                    std::vector<Id>& strides) {
    Id address = arrayAddress(b, array);
    int dimension = 0;
    for (const Selection& selection : selections) {
        if (selection.kind == Selection::Kind::kNewAxis) {
            lengths.push_back(b.constInt(1));
            strides.push_back(b.constInt(0));
            continue;
        }
        Id stride = arrayStride(b, array, dimension);
        Id length = arrayLength(b, array, dimension++);
        if (selection.kind == Selection::Kind::kAt) {
            address = advanced(b, address, selection.position, stride);
            continue;
        }
        Extent extent = selection.isWhole() ? Extent{ir::kNoId, length, stride} : extentOf(b, selection, length, stride);
        address = selection.isWhole() ? address : advanced(b, address, extent.first, stride);
        lengths.push_back(extent.length);
        strides.push_back(extent.stride);
    }
    for (; dimension < array.layout.dimensions; dimension++) {
        lengths.push_back(arrayLength(b, array, dimension));
        strides.push_back(arrayStride(b, array, dimension));
    }
    return address;
}

}  // namespace

KnownArray selectedPart(RegionBuilder& b, const KnownArray& array, const std::vector<Selection>& selections) {
    std::vector<Id> lengths;
    std::vector<Id> strides;
    Id address = selectDimensions(b, array, selections, lengths, strides);
    ArrayLayout layout = array.layout;
    layout.contiguous = layout.contiguous && keepsOrder(selections);
    return partAt(layout, address, lengths, strides);
}

AbstractValue selectedView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const std::vector<Selection>& selections) {
    return viewOf(b, entry, array, selectedPart(b, array, selections));
}

AbstractValue transposedView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array) {
    std::vector<Id> lengths;
    std::vector<Id> strides;
    for (int dimension = array.layout.dimensions; dimension-- > 0;) {
        lengths.push_back(arrayLength(b, array, dimension));
        strides.push_back(arrayStride(b, array, dimension));
    }
    ArrayLayout layout = array.layout;
    layout.contiguous = layout.contiguous && layout.dimensions == 1;
    return viewOf(b, entry, array, partAt(layout, arrayAddress(b, array), lengths, strides));
}

AbstractValue complexPartView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, bool isReal) {
    KnownArray part = selectedPart(b, array, {});
    part.layout.element = partOf(array.layout.element);
    part.layout.contiguous = false;
    if (!isReal) {
        part.numbers[0] = b.emit(ir::Op::k_int_add_index, {part.numbers[0], b.constInt(info(part.layout.element).bytes)});
    }
    return viewOf(b, entry, array, part);
}

}  // namespace kiln
