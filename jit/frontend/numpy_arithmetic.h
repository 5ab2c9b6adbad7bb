// Operators of NumPy scalars, with each other and with Python's numbers: what NumPy gives, bit for bit, or the region is left where
// NumPy would warn.
#pragma once

#include "jit/frontend/numpy_values.h"

namespace kiln {

// Handlers of BINARY_OP, COMPARE_OP and unary operators: false where neither operand is a NumPy scalar, or only NumPy can do it.
bool scalarBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation);
bool scalarCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation);
// The answer to `left OPERATION right`, one of which is a NumPy scalar: both canCompare(). Exits before the instruction.
Id compareScalars(RegionBuilder& b, int operation, const NumPyNumber& left, const NumPyNumber& right);
bool canCompare(RegionBuilder& b, const AbstractValue& value);
// `best` becomes a scalar of the value of `next` where `condition` holds. False for classes that have no such op.
bool chooseScalar(RegionBuilder& b, Id condition, const AbstractValue& next, AbstractValue& best);
bool scalarNegative(RegionBuilder& b, const BytecodeInstruction& in);
bool scalarInvert(RegionBuilder& b, const BytecodeInstruction& in);
// The int as the class wants it. NumPy raises where a Python int does not fit.
Id wordFor(RegionBuilder& b, const NumPyNumber& number, Element element);
// The number as one of Python's: a new object, and so a new value.
AbstractValue pythonNumber(RegionBuilder& b, const NumPyNumber& number);
// Calls of abs, and of float, int and bool, whose one argument is on top.
bool absoluteScalar(RegionBuilder& b, const BytecodeInstruction& in);
bool convertScalar(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls);
// Of round without digits, the call of which takes `popped` entries, and of divmod.
bool roundScalar(RegionBuilder& b, const BytecodeInstruction& in, int popped);
// Of round and np.round with a number of digits, which is on top.
bool roundAtDigit(RegionBuilder& b, const BytecodeInstruction& in);
bool scalarDivmod(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
