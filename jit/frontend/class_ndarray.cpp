// Items of NumPy's arrays: elements at one index for each dimension, views at fewer, and slices; and what is stored there.
#include "interp/numpy_views.h"
#include "jit/frontend/array_elements.h"
#include "jit/frontend/array_index.h"
#include "jit/frontend/array_parts.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/release_references.h"

namespace kiln {
namespace {

// What is asked for of an array, or stored into it.
struct Item {
    KnownArray array;  // none where only NumPy can tell
    ArrayIndex index;
};

// An index that was a tuple each time is guarded to be one.
void knowTuple(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& index = b.top(0);
    bool isTuple = index.kind == Kind::kObject && index.cls == nullptr && b.siteOf(in).rights.only() == &PyTuple_Type;
    if (isTuple && !b.siteOf(in).generic) {
        b.guardClass(index.value, &PyTuple_Type, ExitReason::k_type);
        markClass(b, index.value, &PyTuple_Type);
    }
}

Item itemAt(RegionBuilder& b, const BytecodeInstruction& in, bool writable) {
    knowTuple(b, in);
    KnownArray array = oftenRaises(b, in) ? KnownArray{} : knowArray(b, in, 1, writable);
    std::optional<ArrayIndex> index = array ? arrayIndex(b, in, b.top(0), array) : std::nullopt;
    return index ? Item{array, *index} : Item{};
}

bool storeElement(RegionBuilder& b, const Item& item, const AbstractValue& value) {
    Element element = item.array.layout.element;
    std::optional<StoredElement> stored = storedElement(b, element, value);
    if (!stored) {
        return false;
    }
    Id offset = elementOffset(b, item.array, positionsOf(item.index));
    if (isComplex(element)) {
        storeComplexElement(b, item.array, offset, {stored->value, stored->imag});
        return true;
    }
    ir::Op store = isFloat(element) ? ir::Op::k_store_element_float : ir::Op::k_store_element_int;
    b.emit(store, {arrayAddress(b, item.array), offset, stored->value}, static_cast<int64_t>(element));
    return true;
}

}  // namespace

bool arrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Item item = itemAt(b, in, false);
    if (!item.array || (!item.index.isElement && !canMakeNumPyViews())) {
        return false;
    }
    finishCall(b, in, 2,
               item.index.isElement ? loadElement(b, item.array, elementOffset(b, item.array, positionsOf(item.index)))
                                    : selectedView(b, b.top(1), item.array, item.index.selections));
    return true;
}

bool sliceArray(RegionBuilder& b, const BytecodeInstruction& in) {
    std::optional<ArrayIndex> index = canMakeNumPyViews() ? arraySlice(b, b.top(1), b.top(0)) : std::nullopt;
    KnownArray array = index ? knowArray(b, in, 2) : KnownArray{};
    if (!array) {
        return false;
    }
    finishCall(b, in, 3, selectedView(b, b.top(2), array, index->selections));
    return true;
}

bool storeArrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!mayBeStored(b, in, 2)) {
        return false;
    }
    Item item = itemAt(b, in, true);
    bool isDone = item.array && (item.index.isElement ? storeElement(b, item, b.top(2))
                                                      : storePart(b, in, selectedPart(b, item.array, item.index.selections), 2));
    if (isDone) {
        releaseTop(b, 3);
        b.state().frame().unit = in.next;
    }
    return isDone;
}

bool storeArraySlice(RegionBuilder& b, const BytecodeInstruction& in) {
    if (oftenRaises(b, in) || !mayBeStored(b, in, 3)) {
        return false;
    }
    std::optional<ArrayIndex> index = arraySlice(b, b.top(1), b.top(0));
    KnownArray array = index ? knowArray(b, in, 2, true) : KnownArray{};
    if (!array || !storePart(b, in, selectedPart(b, array, index->selections), 3)) {
        return false;
    }
    releaseTop(b, 4);
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
