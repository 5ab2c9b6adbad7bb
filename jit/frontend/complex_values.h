// Python's complex numbers: a pair of floats (Kind::kComplex) until somebody asks for the object. What is computed is what
// Objects/complexobject.c computes, term by term.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Each gives false, with nothing emitted that an exit before the instruction would not undo, where only CPython can do it.
bool complexBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation);
bool complexNegative(RegionBuilder& b, const BytecodeInstruction& in);
bool complexCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation);
bool complexAbsolute(RegionBuilder& b, const BytecodeInstruction& in);
// z.real and z.imag.
bool complexAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
// Of a complex number: is it not zero? kNoId for any other entry.
Id complexTruth(RegionBuilder& b, const AbstractValue& value);

}  // namespace kiln
