// Records: a value of one is where it lies, so that a field that is assigned changes the array.
#pragma once

#include "gpu/frontend/build_place.h"
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// By a constant text or number; nullptr where there is no such field.
const Field* findField(const Type* record, const Value& key);
// Of a record, or, as an array of the same shape, of all records of an array.
Value viewOfField(FunctionBuilder& build, const Value& base, const Field& field);
// The place of a record's field.
Place fieldPlace(FunctionBuilder& build, const Node& node, const Value& record, const Field& field);
// A scalar in memory that is not aligned to it: an array of bytes.
Value loadUnaligned(FunctionBuilder& build, const Value& bytes, const Type* type);
void storeUnaligned(FunctionBuilder& build, const Value& bytes, const Type* type, const Value& value);
// Field by field, by their names.
void copyRecord(FunctionBuilder& build, const Node& node, const Value& to, const Value& from);

}  // namespace kiln::gpu
