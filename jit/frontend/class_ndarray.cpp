// Items of NumPy's arrays: elements at one index for each dimension, views at fewer, and slices.
#include <algorithm>
#include <iterator>

#include "interp/numpy_views.h"
#include "jit/frontend/array_elements.h"
#include "jit/frontend/array_views.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// What the index says of each of the first dimensions.
std::vector<AbstractValue> partsOf(RegionBuilder& b, const AbstractValue& index) {
    if (index.kind != Kind::kConstant || !PyTuple_CheckExact(index.constant)) {
        return index.kind == Kind::kTuple ? index.parts : std::vector{index};
    }
    std::vector<AbstractValue> parts;
    for (Py_ssize_t item = 0; item < PyTuple_GET_SIZE(index.constant); item++) {
        parts.push_back(constantValue(b, PyTuple_GET_ITEM(index.constant, item)));
    }
    return parts;
}

// One for each of the first dimensions; empty where the entry is something else.
std::vector<Id> indicesOf(RegionBuilder& b, const AbstractValue& index, int dimensions) {
    std::vector<AbstractValue> parts = partsOf(b, index);
    std::vector<Id> indices;
    for (const AbstractValue& part : parts) {
        Id position = static_cast<int>(parts.size()) <= dimensions ? indexOf(b, part) : ir::kNoId;
        if (position == ir::kNoId) {
            return {};
        }
        indices.push_back(position);
    }
    return indices;
}

// The slice that a virtual slice is; none where a bound is no int, or the step not known now.
std::optional<Selection> sliceOf(RegionBuilder& b, const AbstractValue& value) {
    Id bounds[2] = {ir::kNoId, ir::kNoId};
    for (size_t place = 0; place < 2; place++) {
        const AbstractValue& bound = value.parts[place];
        if (bound.kind == Kind::kNone) {
            continue;
        }
        bounds[place] = indexOf(b, bound);
        if (bounds[place] == ir::kNoId) {
            return std::nullopt;
        }
    }
    const AbstractValue& step = value.parts[2];
    int64_t by = 1;
    if (step.kind != Kind::kNone) {
        Id number = indexOf(b, step);
        by = number != ir::kNoId ? b.knownInt(number).value_or(0) : 0;
    }
    constexpr int64_t kMostStep = 1 << 30;
    return by != 0 && -kMostStep < by && by < kMostStep ? std::optional(Selection::slice(bounds[0], bounds[1], by)) : std::nullopt;
}

// Indices and slices, of which there is one; empty where it is something else. Positions are not in range yet.
std::vector<Selection> selectionsOf(RegionBuilder& b, const AbstractValue& index) {
    const std::vector<AbstractValue> parts = partsOf(b, index);
    auto isSlice = [](const AbstractValue& part) { return part.kind == Kind::kSlice; };
    if (std::ranges::none_of(parts, isSlice)) {
        return {};
    }
    std::vector<Selection> selections;
    for (const AbstractValue& part : parts) {
        std::optional<Selection> selection;
        if (isSlice(part)) {
            selection = sliceOf(b, part);
        } else if (Id position = indexOf(b, part); position != ir::kNoId) {
            selection = Selection::at(position);
        }
        if (!selection) {
            return {};
        }
        selections.push_back(*selection);
    }
    return selections;
}

// The positions that Python's indices mean. Leaves where one is out of range.
void normalize(RegionBuilder& b, const KnownArray& array, std::vector<Id>& indices) {
    for (size_t dimension = 0; dimension < indices.size(); dimension++) {
        Id length = arrayLength(b, array, static_cast<int>(dimension));
        indices[dimension] = normalizedIndex(b, indices[dimension], length);
    }
}

// What the index on top asks for of the array below it.
struct Item {
    KnownArray array;            // none where only NumPy can tell
    std::vector<Id> positions;   // in range; fewer than its dimensions ask for a view

    bool isElement() const { return array && static_cast<int>(positions.size()) == array.layout.dimensions; }
};

Item itemAt(RegionBuilder& b, const BytecodeInstruction& in, bool writable) {
    KnownArray array = oftenRaises(b, in) ? KnownArray{} : knowArray(b, in, 1, writable);
    std::vector<Id> positions = array ? indicesOf(b, b.top(0), array.layout.dimensions) : std::vector<Id>{};
    bool isView = static_cast<int>(positions.size()) < array.layout.dimensions;
    if (positions.empty() || (isView && (writable || !canMakeNumPyViews()))) {
        return {};
    }
    normalize(b, array, positions);
    return {array, positions};
}

// A float becomes an int as C converts it: towards zero. NumPy warns, or raises, where it does not fit.
Id wholeNumber(RegionBuilder& b, const NumPyNumber& number) {
    return number.kind == Kind::kFloat ? b.emitExiting(ir::Op::k_float_to_int, {number.value}, ExitReason::k_overflow)
                                       : asWord(b, number);
}

// What an element of the array becomes by the number; kNoId where only NumPy knows.
Id elementFor(RegionBuilder& b, Element element, const NumPyNumber& number) {
    if (element == Element::k_bool_) {
        AbstractValue value = AbstractValue::number(number.kind, number.value);
        return b.emit(ir::Op::k_bool_to_int, {truth(b, value)});
    }
    if (!isFloat(element)) {
        Id word = wholeNumber(b, number);
        b.emitExiting(ir::Op::k_guard_fits, {word}, ExitReason::k_overflow, static_cast<int64_t>(element));
        return word;
    }
    Id value = asDouble(b, number);
    if (element == Element::k_float32 && number.element != Element::k_float32) {
        value = b.emit(ir::Op::k_float_single, {value});
        guardNoFlag(b, value, asDouble(b, number), asDouble(b, number), Underflow::kSingle);
    }
    return value;
}

void storeElement(RegionBuilder& b, const KnownArray& array, Id offset, const NumPyNumber& number) {
    Element element = array.layout.element;
    Id stored = elementFor(b, element, number);
    ir::Op store = isFloat(element) ? ir::Op::k_store_element_float : ir::Op::k_store_element_int;
    b.emit(store, {arrayAddress(b, array), offset, stored}, static_cast<int64_t>(element));
}

}  // namespace

// Slices of one or more dimensions. False where NumPy must do it.
bool arrayPart(RegionBuilder& b, const BytecodeInstruction& in, std::vector<Selection> selections) {
    KnownArray array = canMakeNumPyViews() && !oftenRaises(b, in) ? knowArray(b, in, 1) : KnownArray{};
    if (!array || static_cast<int>(selections.size()) > array.layout.dimensions) {
        return false;
    }
    for (size_t dimension = 0; dimension < selections.size(); dimension++) {
        if (Selection& selection = selections[dimension]; !selection.isSlice) {
            selection.position = normalizedIndex(b, selection.position, arrayLength(b, array, static_cast<int>(dimension)));
        }
    }
    finishCall(b, in, 2, selectedView(b, b.top(1), array, selections));
    return true;
}

bool arrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    if (std::vector<Selection> selections = selectionsOf(b, b.top(0)); !selections.empty()) {
        return arrayPart(b, in, std::move(selections));
    }
    Item item = itemAt(b, in, false);
    if (!item.array) {
        return false;
    }
    std::vector<Selection> selections;
    std::ranges::transform(item.positions, std::back_inserter(selections), Selection::at);
    finishCall(b, in, 2,
               item.isElement() ? loadElement(b, item.array, elementOffset(b, item.array, item.positions))
                                : selectedView(b, b.top(1), item.array, selections));
    return true;
}

bool sliceArray(RegionBuilder& b, const BytecodeInstruction& in) {
    Id bounds[2];
    for (int below = 0; below < 2; below++) {
        bool isOpen = b.top(below).kind == Kind::kNone;
        bounds[below] = isOpen ? ir::kNoId : indexOf(b, b.top(below));
        if (!isOpen && bounds[below] == ir::kNoId) {
            return false;
        }
    }
    KnownArray array = canMakeNumPyViews() ? knowArray(b, in, 2) : KnownArray{};
    if (!array) {
        return false;
    }
    finishCall(b, in, 3, selectedView(b, b.top(2), array, {Selection::slice(bounds[1], bounds[0])}));
    return true;
}

bool storeArrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    if (endsAfterStore(b.top(1))) {
        return false;
    }
    std::optional<NumPyNumber> number = numberOf(b, b.top(2));
    Item item = number || isAnyComplex(b.top(2)) ? itemAt(b, in, true) : Item{};
    if (!item.array || (!number && !isComplex(item.array.layout.element))) {
        return false;
    }
    if (Id offset = elementOffset(b, item.array, item.positions); isComplex(item.array.layout.element)) {
        storeComplexElement(b, item.array, offset, *complexElementFor(b, item.array.layout.element, b.top(2)));
    } else {
        storeElement(b, item.array, offset, *number);
    }
    releaseTop(b, 3);
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
