// Elements of NumPy's arrays: items at one index for each dimension.
#include "jit/frontend/array_elements.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// One for each dimension; empty where the entry is something else.
std::vector<Id> indicesOf(RegionBuilder& b, const AbstractValue& index, int dimensions) {
    std::vector<AbstractValue> parts = index.kind == Kind::kTuple ? index.parts : std::vector{index};
    if (index.kind == Kind::kConstant && PyTuple_CheckExact(index.constant)) {
        parts.clear();
        for (Py_ssize_t item = 0; item < PyTuple_GET_SIZE(index.constant); item++) {
            parts.push_back(constantValue(b, PyTuple_GET_ITEM(index.constant, item)));
        }
    }
    std::vector<Id> indices;
    for (const AbstractValue& part : parts) {
        Id position = static_cast<int>(parts.size()) == dimensions ? indexOf(b, part) : ir::kNoId;
        if (position == ir::kNoId) {
            return {};
        }
        indices.push_back(position);
    }
    return indices;
}

// The positions that Python's indices mean. Leaves where one is out of range.
void normalize(RegionBuilder& b, Id head, std::vector<Id>& indices) {
    for (size_t dimension = 0; dimension < indices.size(); dimension++) {
        Id length = b.emit(ir::Op::k_array_length, {head}, static_cast<int64_t>(dimension));
        indices[dimension] = normalizedIndex(b, indices[dimension], length);
    }
}

// Where an element lies.
struct Place {
    Element element = Element::kCount;
    Id head = ir::kNoId;
    Id offset = ir::kNoId;
};

// Of the array one below the index, which is on top; of no element where only NumPy can tell.
Place placeOf(RegionBuilder& b, const BytecodeInstruction& in, bool writable) {
    Id head = oftenRaises(b, in) ? ir::kNoId : knowArray(b, in, 1, writable);
    if (head == ir::kNoId) {
        return {};
    }
    ArrayLayout layout = b.top(1).array;
    std::vector<Id> indices = indicesOf(b, b.top(0), layout.dimensions);
    if (indices.empty()) {
        return {};
    }
    normalize(b, head, indices);
    return {layout.element, head, elementOffset(b, head, layout, indices)};
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

}  // namespace

bool arrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Place place = placeOf(b, in, false);
    if (place.element == Element::kCount) {
        return false;
    }
    finishCall(b, in, 2, loadElement(b, place.head, place.element, place.offset));
    return true;
}

bool storeArrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    if (endsAfterStore(b.top(1))) {
        return false;
    }
    std::optional<NumPyNumber> number = numberOf(b, b.top(2));
    Place place = number ? placeOf(b, in, true) : Place{};
    if (place.element == Element::kCount) {
        return false;
    }
    Id stored = elementFor(b, place.element, *number);
    ir::Op store = isFloat(place.element) ? ir::Op::k_store_element_float : ir::Op::k_store_element_int;
    b.emit(store, {b.emit(ir::Op::k_array_data, {place.head}), place.offset, stored}, static_cast<int64_t>(place.element));
    releaseTop(b, 3);
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
