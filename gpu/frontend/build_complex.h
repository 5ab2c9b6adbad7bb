// Complex numbers: the front end computes with their parts; IR only makes them, stores them and takes them apart.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Of two parts that are of the complex type's own kind.
Value makeComplex(FunctionBuilder& build, const Value& real, const Value& imaginary, const Type* type);
// Of any scalar, 0 is the imaginary part of a real one.
Value realPart(FunctionBuilder& build, const Value& value);
Value imaginaryPart(FunctionBuilder& build, const Value& value);
// From any scalar.
Value toComplex(FunctionBuilder& build, const Value& value, const Type* type);
// Both operands are computed already; they are of one type.
Value select(FunctionBuilder& build, const Value& condition, const Value& then, const Value& otherwise);
// Through the polar form, as CPython computes it; of zero: zero.
Value complexPower(FunctionBuilder& build, const Value& base, const Value& exponent);
// Both operands are of one complex type.
Value complexBinary(FunctionBuilder& build, Op op, const Value& left, const Value& right);
// Whether one comes before another by real, then by imaginary part, as NumPy orders numbers of one complex type; what has a nan comes
// neither before nor behind.
Value complexOrder(FunctionBuilder& build, Op op, const Value& left, const Value& right);
// The greater or lesser one in that order. Where one has a nan, that one, or with `avoidsNan` the other.
Value complexExtremum(FunctionBuilder& build, Op op, const Value& left, const Value& right, bool avoidsNan);
// Of complex numbers; conjugate() leaves others as they are.
Value negated(FunctionBuilder& build, const Value& value);
Value conjugate(FunctionBuilder& build, const Value& value);
Value magnitude(FunctionBuilder& build, const Value& value);

}  // namespace kiln::gpu
