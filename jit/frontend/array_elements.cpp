#include "jit/frontend/array_elements.h"

#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

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
        if (element == number.element) {
            return word;
        }
        b.emitExiting(ir::Op::k_guard_fits, {word}, ExitReason::k_overflow, static_cast<int64_t>(element));
        return word;
    }
    return element == Element::k_float32 ? asSingle(b, number) : asDouble(b, number);
}

}  // namespace

Id elementOffset(RegionBuilder& b, const KnownArray& array, const std::vector<Id>& positions) {
    const ArrayLayout& layout = array.layout;
    Id offset = ir::kNoId;
    auto add = [&](Id more) {
        const bool isFirst = offset == ir::kNoId || b.knownInt(offset) == 0;
        offset = isFirst ? more : b.knownInt(more) == 0 ? offset : b.emit(ir::Op::k_int_add_index, {offset, more});
    };
    for (int dimension = 0; dimension < layout.dimensions; dimension++) {
        Id position = positions[static_cast<size_t>(dimension)];
        if (!layout.contiguous) {
            Id stride = arrayStride(b, array, dimension);
            add(b.emit(ir::Op::k_int_mul_index, {position, stride}));
            continue;
        }
        if (offset != ir::kNoId && b.knownInt(offset) != 0) {
            offset = b.emit(ir::Op::k_int_mul_index, {offset, arrayLength(b, array, dimension)});
        }
        add(position);
    }
    int bytes = info(layout.element).bytes;
    return layout.contiguous && bytes != 1 ? b.emit(ir::Op::k_int_mul_index, {offset, b.constInt(bytes)}) : offset;
}

AbstractValue loadElement(RegionBuilder& b, const KnownArray& array, Id offset) {
    Element element = array.layout.element;
    if (isComplex(element)) {
        return loadComplexElement(b, array, offset);
    }
    ir::Op load = isFloat(element) ? ir::Op::k_element_float : ir::Op::k_element_int;
    Id value = b.emit(load, {arrayAddress(b, array), offset}, static_cast<int64_t>(element));
    if (element == Element::k_bool_) {
        value = b.emit(ir::Op::k_int_ne, {value, b.constInt(0)});
    }
    return scalarOf(b, element, value);
}

std::optional<StoredElement> storedElement(RegionBuilder& b, Element element, const AbstractValue& value) {
    if (isComplex(element)) {
        std::optional<Complex> number = complexElementFor(b, element, value);
        return number ? std::optional(StoredElement{number->real, number->imag}) : std::nullopt;
    }
    std::optional<NumPyNumber> number = element == Element::k_uint64 ? bitsOf(b, value) : numberOf(b, value);
    return number ? std::optional(StoredElement{elementFor(b, element, *number)}) : std::nullopt;
}

}  // namespace kiln
