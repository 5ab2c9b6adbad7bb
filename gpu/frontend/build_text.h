// Strings: constants, which Python computes with, and elements of NumPy's types S and U, whose codes kernels go through.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// The Python object of a value that is known at compile time; null for another.
Ref<> constantObject(const Value& value);
// A constant str or bytes, or an element of such a type.
bool isText(const Value& value);
// The constant's object; null for anything else.
Ref<> constantText(const Value& value);
// The type of records that can hold both, which are strings of one kind; nullptr where there is none.
const Type* commonText(const Value& first, const Value& second);
// A constant as an element of a type, which is read-only.
Value textRecord(FunctionBuilder& build, const Value& constant, const Type* type);

// Of values one of which is a string. Poison without an error: they have no such operation.
Value textBinary(FunctionBuilder& build, const Node& node, const char* name, const Value& left, const Value& right);
Value compareTexts(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right);
Value textContains(FunctionBuilder& build, const Node& node, const Value& item, const Value& text);

Value textLength(FunctionBuilder& build, const Node& node, const Value& text);
Value textItem(FunctionBuilder& build, const Node& node, const Value& text, const Value& index);
// The characters of a constant str as such, or the bytes of a constant as numbers: what a loop goes through.
Value textItems(FunctionBuilder& build, const Node& node, const Value& text);
Value callTextMethod(FunctionBuilder& build, const Node& node, const Value& text, const std::string& name,
                     const std::vector<Value>& arguments);
// To an element, as much of the string as it has room for.
void assignText(FunctionBuilder& build, const Node& node, const Value& to, const Value& from);

}  // namespace kiln::gpu
