// NumPy's scalars and arrays as abstract values: scalars are numbers with a class, arrays have a layout that a guard has found.
#pragma once

#include <optional>
#include <vector>

#include "interp/numpy_types.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

// A number of a NumPy class, or of Python's own: what its arithmetic goes by.
struct NumPyNumber {
    Element element = Element::kCount;  // kCount: a Python number
    Kind kind = Kind::kNull;            // kInt, kFloat, kBool
    Id value = ir::kNoId;

    bool isPython() const { return element == Element::kCount; }
};

// ---- scalars

// A new scalar of that value: its kind goes by the element. The value fits.
AbstractValue scalarOf(RegionBuilder& b, Element element, Id value);
// The entry as a number: a scalar, or an object known to be one, or a Python number. Leaves where that needs more than 63 bits.
std::optional<NumPyNumber> numberOf(RegionBuilder& b, const AbstractValue& value);
// The same without a question: of a uint64 it has the bits, which may be those of a negative int.
std::optional<NumPyNumber> bitsOf(RegionBuilder& b, const AbstractValue& value);
// And with the question.
void guardWord(RegionBuilder& b, const NumPyNumber& number);
// A scalar, or an object known to be one, that the functions of `math` take for the float that it holds.
bool isNumPyFloat(const AbstractValue& value);
// An entry that is an index of one element: an integer of Python's or NumPy's; kNoId for all others. A bool is a mask.
Id indexOf(RegionBuilder& b, const AbstractValue& value);
// The same for what is no array, to which a bool of Python's is an int.
Id positionOf(RegionBuilder& b, const AbstractValue& value);
// The number as a double, as NumPy converts it: rounded.
Id asDouble(RegionBuilder& b, const NumPyNumber& number);
// The number as an element of float32 becomes it, or a float32 made of it. Leaves where NumPy may have to warn.
Id asSingle(RegionBuilder& b, const NumPyNumber& number);
// An int or bool as an int.
Id asWord(RegionBuilder& b, const NumPyNumber& number);
// Leaves where NumPy may have to warn of the result.
void guardNoFlag(RegionBuilder& b, Id result, Id left, Id right, Underflow underflow);
// A reference to the object that a scalar becomes.
Id materializeScalar(RegionBuilder& b, const AbstractValue& value);

// ---- arrays

// An array whose layout is known, and what tells where its elements lie.
struct KnownArray {
    ArrayLayout layout;
    Id head = ir::kNoId;      // of an array that exists: what guard_array gave
    std::vector<Id> numbers;  // of a view that does not: address, lengths, strides

    explicit operator bool() const { return layout.isKnown(); }
};

Id arrayAddress(RegionBuilder& b, const KnownArray& array);
Id arrayLength(RegionBuilder& b, const KnownArray& array, int dimension);
Id arrayStride(RegionBuilder& b, const KnownArray& array, int dimension);
// Of an entry that carries its layout; none of any other.
KnownArray knownArray(const AbstractValue& entry);
// Gives what tells where the array's elements lie; leaves through `exit` where it has another layout.
Id guardArray(RegionBuilder& b, Id array, const ArrayLayout& layout, ir::SnapshotId exit);
// The entry `below` the top is an array of a layout that is known, or was the same each time at this instruction; none if not, or if
// it is not writable where that is wanted.
KnownArray knowArray(RegionBuilder& b, const BytecodeInstruction& in, int below, bool writable = false);
// The same of an entry that is stored, or an argument of a call.
KnownArray knowOtherArray(RegionBuilder& b, const BytecodeInstruction& in, int below);
// An object that was an array each time is guarded to be one.
void knowArrayClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen);
// The same of scalars.
void knowScalarClass(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen);
void forgetArray(AbstractValue& value);
// Foreign code has run.
void forgetArrays(AbstractState& state);

}  // namespace kiln
