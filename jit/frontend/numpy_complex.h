// NumPy's complex scalars, and elements of complex arrays: what NumPy computes, bit for bit, or the region is left where it would warn.
#pragma once

#include "jit/frontend/complex_values.h"
#include "jit/frontend/numpy_values.h"

namespace kiln {

bool isComplexScalarClass(const PyTypeObject* cls);
// Of an object of such a class.
Complex complexScalarParts(RegionBuilder& b, const AbstractValue& value);

// Handlers of operators, one operand of which is complex and one of a NumPy class; false where they are not, or only NumPy can do it.
bool complexScalarBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation);
bool complexScalarCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation);
// Calls of abs, whose one argument is on top. (numpy.absolute has another code, and results, for arrays.)
bool complexScalarAbsolute(RegionBuilder& b, const BytecodeInstruction& in);
// Of numpy.absolute.
bool callComplexLength(RegionBuilder& b, const BytecodeInstruction& in);
// Calls of numpy.complex64 and numpy.complex128 with a number.
bool convertToComplex(RegionBuilder& b, const BytecodeInstruction& in, Element element);

// The element of a complex array at that offset.
AbstractValue loadComplexElement(RegionBuilder& b, const KnownArray& array, Id offset);
// What such an element becomes by the entry, a number: its parts, as they are stored. None where only NumPy knows. May leave.
std::optional<Complex> complexElementFor(RegionBuilder& b, Element element, const AbstractValue& value);
void storeComplexElement(RegionBuilder& b, const KnownArray& array, Id offset, const Complex& stored);

}  // namespace kiln
