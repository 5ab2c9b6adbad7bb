// Opaque operations: what the region hands to CPython without leaving, as any Python code may run inside.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// kCallable: an object that a CALL follows for, with NULL below it.
enum class OpaqueResult { kObject, kCallable, kBool, kNone };

Id beforeOpaque(RegionBuilder& b, const std::string& operation, int cacheUnits = 0);
bool needsRealFrame(RegionBuilder& b, int position);
void afterOpaque(RegionBuilder& b, Id versionBefore, bool called = false);
Id namesVersion(RegionBuilder& b);
void noteOpaque(RegionBuilder& b, const std::string& operation);
// Records the state that others may look at while the instruction runs, which continues at `next`.
void suspend(RegionBuilder& b, int next);
// The operation, and then its operands, the topmost `popped` entries, are given up.
Id emitOpaque(RegionBuilder& b, ir::Op op, std::vector<Id> operands, ir::SnapshotId raise, Helper helper, int popped,
              Id version);
void opaqueInstruction(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int operandCount,
                       OpaqueResult kind, const std::string& name, std::initializer_list<int64_t> numbers = {});
void finishOpaque(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, std::vector<Id> operands, int popped,
                  OpaqueResult kind, Id version);
void pushOpaque(RegionBuilder& b, const BytecodeInstruction& in, Id value, OpaqueResult kind, Id version,
                bool called = false);
void opaqueCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments);
void opaqueAttributeLoad(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method);
void opaqueAdd(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int below, int items);
void opaqueAttributeStore(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
void flushNames(RegionBuilder& b);

}  // namespace kiln
