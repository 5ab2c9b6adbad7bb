// Enums: members are values with a class. Those of IntEnum, StrEnum and others that are numbers or texts as well are used as these; of
// others there are equality, identity, `value` and, of flags, &, |, ^, ~ and `in`. What a member has besides is known of constants.
#pragma once

#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

bool isEnum(PyObject* object);
bool isMemberOfEnum(PyObject* object);
Value valueOfMember(FunctionBuilder& build, PyObject* member, const Node& node);

// The number or text that a member is as well, also in tuples; anything else as it is.
Value plain(const Value& value);
void makePlain(std::vector<Value>& values);

// Color(2), of a constant.
Value callEnum(FunctionBuilder& build, const Node& node, const Value& callee, const std::vector<Value>& arguments);
// The members of an enum as a tuple, for a loop over them; anything else as it is.
Value membersOfEnum(FunctionBuilder& build, const Value& value, const Node& node);
Value memberAttribute(FunctionBuilder& build, const Node& node, const Value& member, const std::string& name);
Value memberTruth(FunctionBuilder& build, const Value& member, const Node& node);

// `is` of values of these types is False, whatever they are.
bool areNeverIdentical(const Value& left, const Value& right);
// Operators of members; poison where no operand is one, and where kernels have no such operator.
Value memberUnary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand);
Value memberBinary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value compareMembers(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
// `in` an enum, or a flag in others; poison where the container is neither.
Value memberContains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container);

}  // namespace kiln::gpu
