// Operators.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

// On operands of one type, which is that of the result; constants are folded.
Value arithmetic(FunctionBuilder& build, Op op, const Value& left, const Value& right);
// `name`: of a node of ast's, such as "Add".
Value buildBinary(FunctionBuilder& build, const Node& node, const std::string& name, const Value& left,
                  const Value& right);
// By numba's typing rules, from operands of any types; an error where there is no such operation.
Value binary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value buildUnary(FunctionBuilder& build, const Node& node);
Value unary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand);
// Of a comparison's chain: a < b < c: b is evaluated once, c only if a < b.
Value buildCompare(FunctionBuilder& build, const Node& node);
Value compare(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
// item in container: of tuples and texts that are known.
Value contains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container);
// min and max as Python has them, of two scalars.
Value minimumOrMaximum(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
// A bool, from operands of one type.
Value compared(FunctionBuilder& build, Op op, const Value& left, const Value& right);

}  // namespace kiln::gpu
