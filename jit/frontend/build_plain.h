// Operations on values of exact built-in classes: a helper does them at once, without a frame, as long as no Python code has to run
// and nothing raises. Else the region is left before the instruction, and CPython does it; a site where that is frequent is opaque.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// An object that was of one container's class each time is guarded to be: from then on its class is known.
void knowBuiltin(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen);
// Is the entry's class one that helpers can look up by, or was it each time? Then helpers find out.
bool isBuiltinKey(RegionBuilder& b, int below, const ClassSet& seen);
// The region may hold variables of a namespace that the namespace's own dict does not have yet: an entry that is this dict, by
// chance, is CPython's. False when that can't be asked.
bool guardNoNamespace(RegionBuilder& b, int below);
// The dict is none whose variables the region holds.
void guardOtherDict(RegionBuilder& b, Id object);
// Helpers that give a number or an answer, that make an object, that change something. Each leaves before the instruction when
// CPython must do it.
Id askPlain(RegionBuilder& b, Helper helper, ir::Operands operands);
// Truth of the top entry, of whatever class; kNoId where that may take Python code.
Id plainTruth(RegionBuilder& b, const BytecodeInstruction& in);
// A helper that makes an object.
Id makePlain(RegionBuilder& b, Helper helper, ir::Operands operands);
// A helper that changes something.
void changePlain(RegionBuilder& b, Helper helper, ir::Operands operands);
// BINARY_SUBSCR by a slice; false where it is not plain.
bool steppedSlice(RegionBuilder& b, const BytecodeInstruction& in);
// Of two values that helpers know; false otherwise. `operation`: Py_LT and so on.
bool plainCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation);
// BINARY_OP by the classes' rows; false where they have none.
bool plainBinary(RegionBuilder& b, const BytecodeInstruction& in);
// kNoId when the class's row in class_operations.def has none.
Id builtinLength(RegionBuilder& b, const AbstractValue& value);

}  // namespace kiln
