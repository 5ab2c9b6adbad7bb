#include "jit/frontend/array_parts.h"

#include "jit/frontend/array_elements.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_complex.h"

namespace kiln {
namespace {

void addLengths(RegionBuilder& b, const KnownArray& part, ir::Operands& operands) {
    for (int dimension = 0; dimension < part.layout.dimensions; dimension++) {
        operands.push_back(arrayLength(b, part, dimension));
    }
}

void addStrides(RegionBuilder& b, const KnownArray& part, ir::Operands& operands) {
    for (int dimension = 0; dimension < part.layout.dimensions; dimension++) {
        operands.push_back(arrayStride(b, part, dimension));
    }
}

bool fillPart(RegionBuilder& b, const KnownArray& part, const AbstractValue& value) {
    Element element = part.layout.element;
    std::optional<StoredElement> stored = storedElement(b, element, value);
    if (!stored) {
        return false;
    }
    auto bits = [&](Id number) { return b.emit(ir::Op::k_float_bits, {number}); };
    bool isPair = isComplex(element);
    Id word = isPair || isFloat(element) ? bits(stored->value) : stored->value;
    ir::Operands operands = {b.constInt(static_cast<int64_t>(element)), arrayAddress(b, part), word,
                                isPair ? bits(stored->imag) : word};
    addLengths(b, part, operands);
    addStrides(b, part, operands);
    changePlain(b, Helper::k_fill_part, std::move(operands));
    return true;
}

// The steps from one item to the next: none where the one item there is stands for all. Leaves where the lengths do not go together.
Id broadcastStride(RegionBuilder& b, const KnownArray& source, int dimension, Id length) {
    Id own = arrayLength(b, source, dimension);
    Id isSame = b.emit(ir::Op::k_int_eq, {own, length});
    Id isOne = b.emit(ir::Op::k_int_eq, {own, b.constInt(1)});
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_bool_or, {isSame, isOne})}, ExitReason::k_plain);
    return b.emit(ir::Op::k_int_select, {isSame, arrayStride(b, source, dimension), b.constInt(0)});
}

// NumPy converts such elements without a look at what comes of it, as ints wrap around, or the helper looks, as floats become smaller.
bool isConverted(Element to, Element from) {
    bool isInteger = !isFloat(from) && !isComplex(from);
    return to == from || (isInteger && !isComplex(to)) || (isFloat(from) && isFloat(to));
}

// Not of one of more dimensions.
bool copyPart(RegionBuilder& b, const KnownArray& part, const KnownArray& source) {
    int missing = part.layout.dimensions - source.layout.dimensions;
    if (!isConverted(part.layout.element, source.layout.element) || missing < 0) {
        return false;
    }
    auto element = [&](const KnownArray& array) { return b.constInt(static_cast<int64_t>(array.layout.element)); };
    ir::Operands operands = {element(part), element(source), arrayAddress(b, part), arrayAddress(b, source)};
    addLengths(b, part, operands);
    addStrides(b, part, operands);
    for (int dimension = 0; dimension < part.layout.dimensions; dimension++) {
        operands.push_back(dimension < missing
                               ? b.constInt(0)
                               : broadcastStride(b, source, dimension - missing, arrayLength(b, part, dimension)));
    }
    changePlain(b, Helper::k_copy_part, std::move(operands));
    return true;
}

// NumPy compares the number with such elements as they are, or once it is a double.
bool isComparable(Element element, const NumPyNumber& number) {
    if (element == Element::k_float32) {
        return number.element == Element::k_float32;
    }
    if (element == Element::k_float64) {
        return number.kind != Kind::kBool;
    }
    Kind wanted = element == Element::k_bool_ ? Kind::kBool : Kind::kInt;
    return !isComplex(element) && element != Element::k_uint64 && number.kind == wanted;
}

}  // namespace

// Of a number NumPy asks whether an element is equal to it.
bool arrayContains(RegionBuilder& b, const BytecodeInstruction& in) {
    knowScalarClass(b, in, 1, b.siteOf(in).rights);
    KnownArray array = b.siteOf(in).generic ? KnownArray{} : knowArray(b, in, 0);
    std::optional<NumPyNumber> number = array ? numberOf(b, b.top(1)) : std::nullopt;
    if (!number || !isComparable(array.layout.element, *number)) {
        return false;
    }
    Id word = isFloat(array.layout.element) ? b.emit(ir::Op::k_float_bits, {asDouble(b, *number)}) : asWord(b, *number);
    ir::Operands operands = {b.constInt(static_cast<int64_t>(array.layout.element)), arrayAddress(b, array), word};
    addLengths(b, array, operands);
    addStrides(b, array, operands);
    Id found = b.emitList(ir::Op::k_pure_int, std::move(operands), static_cast<int64_t>(Helper::k_part_contains));
    Id result = b.emit(in.oparg ? ir::Op::k_int_eq : ir::Op::k_int_ne, {found, b.constInt(0)});
    finishCall(b, in, 2, AbstractValue::number(Kind::kBool, result));
    return true;
}

bool mayBeStored(RegionBuilder& b, const BytecodeInstruction& in, int below) {
    const AbstractValue& value = b.top(below);
    return value.isNumber() || isAnyComplex(value) || isScalarClass(value.knownClass()) || knowOtherArray(b, in, below);
}

bool storePart(RegionBuilder& b, const BytecodeInstruction& in, const KnownArray& part, int below) {
    if (b.siteOf(in).generic) {
        return false;
    }
    KnownArray source = knownArray(b.top(below));
    return source ? copyPart(b, part, source) : fillPart(b, part, b.top(below));
}

}  // namespace kiln
