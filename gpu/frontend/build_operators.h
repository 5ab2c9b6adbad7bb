// Operators.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

// On operands of one type.
Value arithmetic(FunctionBuilder& build, Op op, const Value& left, const Value& right);
Value buildBinary(FunctionBuilder& build, const Node& node, const std::string& name, const Value& left,
                  const Value& right);
Value binary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value buildUnary(FunctionBuilder& build, const Node& node);
Value unary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand);
// a < b < c: b is evaluated once, c only if a < b.
Value buildCompare(FunctionBuilder& build, const Node& node);
Value compare(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value contains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container);
Value minimumOrMaximum(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value compared(FunctionBuilder& build, Op op, const Value& left, const Value& right);

}  // namespace kiln::gpu
