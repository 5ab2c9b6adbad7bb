// Elements of arrays that are values of types which the program adds (numba/structures.py): records of their members.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// The records of a type of the program's; nullptr for another value, and after an error.
const Type* structureNamedBy(FunctionBuilder& build, const Node& node, const Value& type);
// Of this type, as numba's package has it. nullptr with an exception.
const Type* structureOf(PyObject* kind);
// The class of the tuples that are the type's values. Borrowed.
PyObject* classOfStructure(const Type* record);
// What is in such a record, as a value of the type.
Value loadStructure(FunctionBuilder& build, const Node& node, const Value& record);
void storeStructure(FunctionBuilder& build, const Node& node, const Value& record, const Value& value);

}  // namespace kiln::gpu
