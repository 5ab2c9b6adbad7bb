// Complex numbers, Python's and NumPy's: a pair of floats with a class (Kind::kComplex) until somebody asks for the object. What is
// computed of Python's is what Objects/complexobject.c computes, term by term; for NumPy's see numpy_complex.h.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

struct Complex {
    Id real = ir::kNoId;
    Id imag = ir::kNoId;
};

// A complex number of a class that is known.
bool isAnyComplex(const AbstractValue& value);
// Its parts, as doubles. Nothing that could fail is emitted.
Complex complexParts(RegionBuilder& b, const AbstractValue& value);
AbstractValue complexValue(RegionBuilder& b, PyTypeObject* cls, const Complex& number);
Complex complexProduct(RegionBuilder& b, const Complex& x, const Complex& y);

// Each gives false, with nothing emitted that an exit before the instruction would not undo, where only CPython can do it.
bool complexBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation);
bool complexNegative(RegionBuilder& b, const BytecodeInstruction& in);
bool complexCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation);
bool complexAbsolute(RegionBuilder& b, const BytecodeInstruction& in);
// z.real and z.imag.
bool complexAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
// A call of a method of complex numbers without arguments, whose instance is on top: z.conjugate().
bool complexMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method);
// Of a complex number: is it not zero? kNoId for any other entry.
Id complexTruth(RegionBuilder& b, const AbstractValue& value);

}  // namespace kiln
