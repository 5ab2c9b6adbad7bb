#include "jit/frontend/array_parts.h"

#include "jit/frontend/array_elements.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/numpy_complex.h"

namespace kiln {
namespace {

void addLengths(RegionBuilder& b, const KnownArray& part, std::vector<Id>& operands) {
    for (int dimension = 0; dimension < part.layout.dimensions; dimension++) {
        operands.push_back(arrayLength(b, part, dimension));
    }
}

void addStrides(RegionBuilder& b, const KnownArray& part, std::vector<Id>& operands) {
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
    std::vector<Id> operands = {b.constInt(static_cast<int64_t>(element)), arrayAddress(b, part), word,
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
    std::vector<Id> operands = {element(part), element(source), arrayAddress(b, part), arrayAddress(b, source)};
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

}  // namespace

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
