// datetime64 and timedelta64: int64s that count units. The least one is NaT, which what is computed with it is, too, and which
// equals nothing. Operators are NumPy's; where units differ, the finer one counts.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

// A time as an int64, and back.
Value timeBits(FunctionBuilder& build, const Value& time);
Value timeOf(FunctionBuilder& build, const Value& bits, const Type* type);
// A bool.
Value isNotATime(FunctionBuilder& build, const Value& time);
// To a finer unit of the same kind; to a bool.
Value convertTime(FunctionBuilder& build, const Value& value, const Type* type);
// np.timedelta64(3, 's'), np.datetime64('NaT', 's'), np.timedelta64(another)
Value makeTime(FunctionBuilder& build, const Node& node, const Type* type, const std::vector<Value>& arguments);
// Operators of which one operand, at least, is a time.
Value timeBinary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value timeCompare(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value timeUnary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand);

}  // namespace kiln::gpu
