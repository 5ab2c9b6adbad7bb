#include "jit/frontend/array_views.h"

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

// A bound of a slice as a position from 0 to the length.
Id clamped(RegionBuilder& b, Id bound, Id length) {
    Id zero = b.constInt(0);
    Id wrapped = b.emit(ir::Op::k_int_add_wrap, {bound, length});
    Id fromEnd = b.emit(ir::Op::k_int_max, {wrapped, zero});
    Id fromStart = b.emit(ir::Op::k_int_min, {bound, length});
    return b.emit(ir::Op::k_int_select, {b.emit(ir::Op::k_int_lt, {bound, zero}), fromEnd, fromStart});
}

}  // namespace

AbstractValue rowView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, const std::vector<Id>& positions) {
    AbstractValue lent = lender(b, entry, array);
    Id address = arrayAddress(b, array);
    std::vector<Id> lengths;
    std::vector<Id> strides;
    for (int dimension = 0; dimension < array.layout.dimensions; dimension++) {
        Id stride = arrayStride(b, array, dimension);
        if (dimension < static_cast<int>(positions.size())) {
            address = advanced(b, address, positions[static_cast<size_t>(dimension)], stride);
            continue;
        }
        lengths.push_back(arrayLength(b, array, dimension));
        strides.push_back(stride);
    }
    ArrayLayout layout = array.layout;
    layout.dimensions = static_cast<int>(lengths.size());
    return makeView(b, std::move(lent), layout, address, lengths, strides);
}

AbstractValue sliceView(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, Id start, Id stop) {
    AbstractValue lent = lender(b, entry, array);
    Id length = arrayLength(b, array, 0);
    Id zero = b.constInt(0);
    Id first = start != ir::kNoId ? clamped(b, start, length) : zero;
    Id last = stop != ir::kNoId ? clamped(b, stop, length) : length;
    Id isEmpty = b.emit(ir::Op::k_int_le, {last, first});
    std::vector<Id> lengths = {b.emit(ir::Op::k_int_max, {b.emit(ir::Op::k_int_sub_wrap, {last, first}), zero})};
    std::vector<Id> strides = {arrayStride(b, array, 0)};
    // NumPy leaves an empty slice at the array's beginning.
    Id address = advanced(b, arrayAddress(b, array), b.emit(ir::Op::k_int_select, {isEmpty, zero, first}), strides[0]);
    for (int dimension = 1; dimension < array.layout.dimensions; dimension++) {
        lengths.push_back(arrayLength(b, array, dimension));
        strides.push_back(arrayStride(b, array, dimension));
    }
    return makeView(b, std::move(lent), array.layout, address, lengths, strides);
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
