#include "jit/frontend/numpy_values.h"

#include <algorithm>
#include <iterator>

#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

Kind kindOf(Element element) {
    return isFloat(element) ? Kind::kFloat : element == Element::k_bool_ ? Kind::kBool : Kind::kInt;
}

// The value of an object of a scalar class.
Id unboxScalar(RegionBuilder& b, Id object, Element element) {
    Id address = b.emit(ir::Op::k_address, {object});
    Id offset = b.constInt(numpy_layout::kScalarValue);
    ir::Op load = isFloat(element) ? ir::Op::k_element_float : ir::Op::k_element_int;
    Id value = b.emit(load, {address, offset}, static_cast<int64_t>(element));
    return element == Element::k_bool_ ? b.emit(ir::Op::k_int_ne, {value, b.constInt(0)}) : value;
}

void markArray(AbstractState& state, Id array, const ArrayLayout& layout, Id head) {
    auto isArray = [&](const AbstractValue& value) { return value.kind == Kind::kObject && value.value == array; };
    changeEntries(state, isArray, [&](AbstractValue& value) {
        value.array = layout;
        value.box = head;
    });
}

KnownArray knowLayout(RegionBuilder& b, const BytecodeInstruction& in, Id array, const ArrayLayout& layout) {
    if (!layout.isKnown() || b.siteOf(in).generic) {
        return {};
    }
    Id head = guardArray(b, array, layout, b.snapshotBefore(ExitReason::k_type));
    markArray(b.state(), array, layout, head);
    return {.layout = layout, .head = head};
}

// An array that is a constant, such as a global, is worked on like any other.
void takeConstantArray(RegionBuilder& b, int below) {
    AbstractValue& value = b.top(below);
    if (value.kind == Kind::kConstant && isArrayClass(Py_TYPE(value.constant))) {
        value = asObject(b, value);
        value.cls = NumPyTypes::known()->array();
    }
}

}  // namespace

AbstractValue scalarOf(RegionBuilder& b, Element element, Id value) {
    AbstractValue scalar = virtualObject(b, Kind::kScalar, {AbstractValue::part(kindOf(element), value)});
    scalar.cls = NumPyTypes::known()->scalar(element);
    return scalar;
}

std::optional<NumPyNumber> bitsOf(RegionBuilder& b, const AbstractValue& value) {
    if (value.isNumber()) {
        return NumPyNumber{.kind = value.kind, .value = value.value};
    }
    if (value.isScalar()) {
        return NumPyNumber{NumPyTypes::known()->elementOf(value.cls), value.parts[0].kind, value.parts[0].value};
    }
    if (!isScalarClass(value.knownClass()) || (value.kind != Kind::kObject && value.kind != Kind::kConstant)) {
        return std::nullopt;
    }
    Element element = NumPyTypes::known()->elementOf(value.knownClass());
    bool fresh = false;
    if (isComplex(element)) {
        return std::nullopt;  // is no single number
    }
    return NumPyNumber{element, kindOf(element), unboxScalar(b, boxed(b, value, fresh), element)};
}

void guardWord(RegionBuilder& b, const NumPyNumber& number) {
    if (number.element == Element::k_uint64) {
        b.emitExiting(ir::Op::k_guard_fits, {number.value}, ExitReason::k_flag, static_cast<int64_t>(number.element));
    }
}

std::optional<NumPyNumber> numberOf(RegionBuilder& b, const AbstractValue& value) {
    std::optional<NumPyNumber> number = bitsOf(b, value);
    if (number) {
        guardWord(b, *number);
    }
    return number;
}

bool isNumPyFloat(const AbstractValue& value) {
    bool isScalar = value.isScalar() || value.kind == Kind::kObject;
    return isScalar && isScalarClass(value.knownClass()) && isFloat(NumPyTypes::known()->elementOf(value.knownClass()));
}

Id indexOf(RegionBuilder& b, const AbstractValue& value) {
    std::optional<NumPyNumber> number = numberOf(b, value);
    return number && number->kind == Kind::kInt ? number->value : ir::kNoId;
}

Id positionOf(RegionBuilder& b, const AbstractValue& value) {
    return value.isIntLike() ? asInt(b, value) : indexOf(b, value);
}

Id asWord(RegionBuilder& b, const NumPyNumber& number) {
    return number.kind == Kind::kBool ? b.emit(ir::Op::k_bool_to_int, {number.value}) : number.value;
}

Id asDouble(RegionBuilder& b, const NumPyNumber& number) {
    return number.kind == Kind::kFloat ? number.value : b.emit(ir::Op::k_int_to_float, {asWord(b, number)});
}

// NumPy rounds ints of its own once, and makes a double of Python's before.
Id asSingle(RegionBuilder& b, const NumPyNumber& number) {
    if (number.element == Element::k_float32) {
        return number.value;
    }
    if (number.kind != Kind::kFloat && !number.isPython()) {
        return b.emit(ir::Op::k_int_to_single, {asWord(b, number)});
    }
    Id value = asDouble(b, number);
    Id single = b.emit(ir::Op::k_float_single, {value});
    guardNoFlag(b, single, value, value, Underflow::kSingle);
    return single;
}

void guardNoFlag(RegionBuilder& b, Id result, Id left, Id right, Underflow underflow) {
    b.emitExiting(ir::Op::k_guard_no_flag, {result, left, right}, ExitReason::k_flag, static_cast<int64_t>(underflow));
}

Id materializeScalar(RegionBuilder& b, const AbstractValue& value) {
    const AbstractValue& number = value.parts[0];
    Id word = number.isFloat() ? b.emit(ir::Op::k_float_bits, {number.value}) : asInt(b, number);
    return b.emit(ir::Op::k_box_scalar, {word}, b.objectIndex(value.cls, value.cls->tp_name));
}

Id guardArray(RegionBuilder& b, Id array, const ArrayLayout& layout, ir::SnapshotId exit) {
    Id dtype = b.constObject(NumPyTypes::known()->dtype(layout.element));
    return b.emitExitingAt(ir::Op::k_guard_array, {array, dtype}, exit, packed(layout));
}

Id arrayAddress(RegionBuilder& b, const KnownArray& array) {
    return array.head == ir::kNoId ? array.numbers[0] : b.emit(ir::Op::k_array_data, {array.head});
}

Id arrayLength(RegionBuilder& b, const KnownArray& array, int dimension) {
    return array.head == ir::kNoId ? array.numbers[static_cast<size_t>(1 + dimension)]
                                   : b.emit(ir::Op::k_array_length, {array.head}, dimension);
}

Id arrayStride(RegionBuilder& b, const KnownArray& array, int dimension) {
    return array.head == ir::kNoId ? array.numbers[static_cast<size_t>(1 + array.layout.dimensions + dimension)]
                                   : b.emit(ir::Op::k_array_stride, {array.head}, dimension);
}

KnownArray knownArray(const AbstractValue& entry) {
    KnownArray array;
    if (entry.kind == Kind::kObject && entry.array.isKnown()) {
        array.layout = entry.array;
        array.head = entry.box;
    } else if (entry.kind == Kind::kView) {
        array.layout = entry.array;
        std::transform(entry.parts.begin() + 1, entry.parts.end(), std::back_inserter(array.numbers),
                       [](const AbstractValue& part) { return part.value; });
    }
    return array;
}

KnownArray knowArray(RegionBuilder& b, const BytecodeInstruction& in, int below, bool writable) {
    const AbstractValue& entry = b.top(below);
    if (KnownArray known = knownArray(entry); known && (known.layout.writable || !writable)) {
        return known;
    }
    if (entry.kind != Kind::kObject || !isArrayClass(entry.cls)) {
        return {};
    }
    ArrayLayout layout = b.siteOf(in).arrays.only();
    return !writable || layout.writable ? knowLayout(b, in, entry.value, layout) : KnownArray{};
}

KnownArray knowOtherArray(RegionBuilder& b, const BytecodeInstruction& in, int below) {
    takeConstantArray(b, below);
    const AbstractValue& entry = b.top(below);
    if (KnownArray known = knownArray(entry)) {
        return known;
    }
    ArrayLayout layout = b.siteOf(in).others.only();
    bool mayBeArray = entry.kind == Kind::kObject && (entry.cls == nullptr || isArrayClass(entry.cls));
    if (!mayBeArray || !layout.isKnown() || layout.dimensions == 0 || b.siteOf(in).generic) {
        return {};
    }
    if (entry.cls == nullptr) {
        Id array = entry.value;
        b.guardClass(array, NumPyTypes::known()->array(), ExitReason::k_type);
        markClass(b, array, NumPyTypes::known()->array());
    }
    return knowLayout(b, in, b.top(below).value, layout);
}

void knowArrayClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    takeConstantArray(b, below);
    const AbstractValue& value = b.top(below);
    if (value.kind == Kind::kObject && value.cls == nullptr && isArrayClass(seen.only()) && !b.siteOf(in).generic) {
        b.guardClass(value.value, seen.only(), ExitReason::k_type);
        markClass(b, value.value, seen.only());
    }
}

void knowScalarClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    const AbstractValue& value = b.top(below);
    if (value.kind == Kind::kObject && value.cls == nullptr && isScalarClass(seen.only()) && !b.siteOf(in).generic) {
        b.guardClass(value.value, seen.only(), ExitReason::k_type);
        markClass(b, value.value, seen.only());
    }
}

static bool hasKnownArray(const AbstractValue& value) {
    return value.array.isKnown() && value.kind == Kind::kObject;
}

void forgetArray(AbstractValue& value) {
    if (hasKnownArray(value)) {
        value.array = {};
        value.box = ir::kNoId;
    }
}

void forgetArrays(AbstractState& state) {
    changeEntries(state, hasKnownArray, forgetArray);
}

}  // namespace kiln
