// Operations on values of exact built-in classes: a helper does them at once, without a frame, as long as no Python code has to run
// and nothing raises. Else the region is left before the instruction, and CPython does it; a site where that is frequent is opaque.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

void knowBuiltin(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen);
bool guardNoNamespace(RegionBuilder& b, int below);
void guardOtherDict(RegionBuilder& b, Id object);
Id makePlain(RegionBuilder& b, Helper helper, std::vector<Id> operands);
void changePlain(RegionBuilder& b, Helper helper, std::vector<Id> operands);
bool plainSubscript(RegionBuilder& b, const BytecodeInstruction& in);
bool plainStoreSubscript(RegionBuilder& b, const BytecodeInstruction& in);
bool plainDelete(RegionBuilder& b, const BytecodeInstruction& in);
bool plainSlice(RegionBuilder& b, const BytecodeInstruction& in);
bool plainContains(RegionBuilder& b, const BytecodeInstruction& in);
bool plainCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation);
Id builtinLength(RegionBuilder& b, const AbstractValue& value);
bool plainBinary(RegionBuilder& b, const BytecodeInstruction& in);

}  // namespace kiln
