// `array.flat` of arrays in C order: elements at an index, which takes the iterator back to its beginning, and iteration, which moves
// NumPy's own iterator.
#include "interp/numpy_flat.h"
#include "jit/frontend/array_elements.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr auto kWord = static_cast<int64_t>(Element::k_int64);

struct Flat {
    Id address = ir::kNoId;  // of the iterator; kNoId where there is none yet
    KnownArray array;        // none where only NumPy can tell
    Id size = ir::kNoId;

    Id field(RegionBuilder& b, int offset) const {
        return b.emit(ir::Op::k_element_int, {address, b.constInt(offset)}, kWord);
    }
    void set(RegionBuilder& b, int offset, Id word) const {
        b.emit(ir::Op::k_store_element_int, {address, b.constInt(offset), word}, kWord);
    }
};

// Of an iterator that exists as the array only.
Flat virtualFlat(RegionBuilder& b, const AbstractValue& entry, bool writable) {
    Flat flat{.array = knownArray(entry.parts[1])};
    if (!flat.array || (writable && !flat.array.layout.writable)) {
        return {};
    }
    flat.size = arrayLength(b, flat.array, 0);
    for (int dimension = 1; dimension < flat.array.layout.dimensions; dimension++) {
        flat.size = b.emit(ir::Op::k_int_mul_index, {flat.size, arrayLength(b, flat.array, dimension)});
    }
    return flat;
}

// The entry, known to be such an iterator, is one over an array of the layout that was seen, in C order.
Flat flatAt(RegionBuilder& b, const BytecodeInstruction& in, int below, bool writable) {
    ArrayLayout layout = b.siteOf(in).arrays.only();
    if (b.top(below).kind == Kind::kFlat && !b.siteOf(in).generic) {
        return virtualFlat(b, b.top(below), writable);
    }
    if (b.top(below).kind != Kind::kObject || b.siteOf(in).generic || layout.dimensions == 0 || !layout.isKnown() ||
        !layout.contiguous || (writable && !layout.writable)) {
        return {};
    }
    layout.writable = writable;
    Flat flat{.address = b.emit(ir::Op::k_address, {b.top(below).value})};
    Id isInOrder = b.emit(ir::Op::k_element_int, {flat.address, b.constInt(flat_layout::kContiguous)},
                          static_cast<int64_t>(Element::k_uint8));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ne, {isInOrder, b.constInt(0)})}, ExitReason::k_type);
    Id array = b.emit(ir::Op::k_load_attribute, {flat.address}, flat_layout::kArray);
    flat.array = {.layout = layout, .head = guardArray(b, array, layout, b.snapshotBefore(ExitReason::k_type))};
    flat.size = flat.field(b, flat_layout::kSize);
    return flat;
}

// Bytes from the first element to that at the index on top; kNoId where that is no int.
Id offsetAt(RegionBuilder& b, const BytecodeInstruction& in, const Flat& flat) {
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    Id index = indexOf(b, b.top(0));
    if (index == ir::kNoId) {
        return ir::kNoId;
    }
    Id position = normalizedIndex(b, index, flat.size);
    return b.emit(ir::Op::k_int_mul_index, {position, b.constInt(info(flat.array.layout.element).bytes)});
}

// As NumPy does behind each element that was asked for.
void reset(RegionBuilder& b, const Flat& flat) {
    if (flat.address == ir::kNoId) {
        return;
    }
    flat.set(b, flat_layout::kIndex, b.constInt(0));
    flat.set(b, flat_layout::kPlace, arrayAddress(b, flat.array));
    for (int dimension = 0; dimension < flat.array.layout.dimensions; dimension++) {
        flat.set(b, flat_layout::kCoordinates + dimension * static_cast<int>(sizeof(int64_t)), b.constInt(0));
    }
}

}  // namespace

bool flatItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Flat flat = oftenRaises(b, in) ? Flat{} : flatAt(b, in, 1, false);
    Id offset = flat.array ? offsetAt(b, in, flat) : ir::kNoId;
    if (offset == ir::kNoId) {
        return false;
    }
    AbstractValue item = loadElement(b, flat.array, offset);
    reset(b, flat);
    finishCall(b, in, 2, std::move(item));
    return true;
}

bool storeFlatItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Flat flat = oftenRaises(b, in) ? Flat{} : flatAt(b, in, 1, true);
    Id offset = flat.array && !isComplex(flat.array.layout.element) ? offsetAt(b, in, flat) : ir::kNoId;
    if (offset == ir::kNoId) {
        return false;
    }
    Element element = flat.array.layout.element;
    std::optional<StoredElement> stored = storedElement(b, element, b.top(2));
    if (!stored) {
        return false;
    }
    ir::Op store = isFloat(element) ? ir::Op::k_store_element_float : ir::Op::k_store_element_int;
    b.emit(store, {arrayAddress(b, flat.array), offset, stored->value}, static_cast<int64_t>(element));
    reset(b, flat);
    releaseTop(b, 3);
    b.state().frame().unit = in.next;
    return true;
}

// It is its own iterator.
bool iterateFlat(RegionBuilder& b, const BytecodeInstruction& in) {
    boxEntry(b, 0);
    b.state().frame().unit = in.next;
    return true;
}

bool nextFlat(RegionBuilder& b, const BytecodeInstruction& in) {
    Flat flat = flatAt(b, in, 0, false);
    if (!flat.array) {
        return false;
    }
    Id index = flat.field(b, flat_layout::kIndex);
    Id hasNext = b.emit(ir::Op::k_int_below, {index, flat.size});
    b.branchAside(hasNext, false, [&] {
        startHere(b);  // not in each round
        release(b, b.pop());
        b.goTo(in.target);
    });
    const ArrayLayout& layout = flat.array.layout;
    Id place = flat.field(b, flat_layout::kPlace);
    AbstractValue item = loadElement(b, {.layout = layout, .numbers = {place}}, b.constInt(0));
    bool isRow = layout.dimensions == 1;
    Id step = isRow ? flat.field(b, flat_layout::kStrides) : b.constInt(info(layout.element).bytes);
    auto next = [&](Id word, Id more) { return b.emit(ir::Op::k_int_add_wrap, {word, more}); };
    if (isRow) {
        flat.set(b, flat_layout::kCoordinates, next(flat.field(b, flat_layout::kCoordinates), b.constInt(1)));
    }
    flat.set(b, flat_layout::kIndex, next(index, b.constInt(1)));
    flat.set(b, flat_layout::kPlace, next(place, step));
    finishIteration(b, in, std::move(item));
    return true;
}

}  // namespace kiln
