// Names of types and table entries, both ways.
#pragma once

#include <string_view>

#include "jit/ir/ir_op.h"

namespace kiln::ir {

const char* typeName(Type type);
// Number of entries an immediate of this kind selects from by name, 0 when there is no such table; the name of each.
int namedImmediateCount(Immediate kind);
const char* immediateName(Immediate kind, int index);

// Each sets its output and returns true when the name is known.
bool findType(std::string_view name, Type& type);
bool findOp(std::string_view name, Op& op);
bool findImmediate(Immediate kind, std::string_view name, int& index);

}  // namespace kiln::ir
