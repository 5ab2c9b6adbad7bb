// Opaque operations: what the region hands to CPython without leaving, as any Python code may run inside.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// kCallable: an object that a CALL follows for, with NULL below it.
enum class OpaqueResult { kObject, kCallable, kBool, kNone };

// What must be so when any Python code may run: the frame tells where it is, dicts have their values. Gives the version of the names.
Id beforeOpaque(RegionBuilder& b, const std::string& operation);
// An inlined function in which the operation often raises is called instead: it handles the exception, or passes it on, as a root does.
void callWhatRaises(RegionBuilder& b);
// The frame must tell where it is: a callee may look. Inlined functions get frames when somebody does.
void needsRealFrame(RegionBuilder& b, int position);
// After the result is pushed: what ran may have changed what the region takes for granted, or asked for what the interpreter does
// when it next looks at the evaluation breaker. `called`: it looks here, as it does after calls of what is no Python function.
void afterOpaque(RegionBuilder& b, Id versionBefore, bool called = false);
// Of the namespaces' dicts of which the region holds variables. A version only grows: the sum of several tells as much.
// The versions of the namespaces whose variables the region holds, added up; kNoId when it holds none.
Id namesVersion(RegionBuilder& b);
// For the report.
void noteOpaque(RegionBuilder& b, const std::string& operation);
// Records the state that others may look at while the instruction runs, which continues at `next`.
void suspend(RegionBuilder& b, int next);
// The operation, and then its operands, the topmost `popped` entries, are given up.
Id emitOpaque(RegionBuilder& b, ir::Op op, ir::Operands operands, ir::SnapshotId raise, Helper helper, int popped,
              Id version);
// An instruction of `operandCount` operands, all of it: `numbers`, then the operands go to the helper. `name`: for the report.
void opaqueInstruction(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int operandCount,
                       OpaqueResult kind, const std::string& name, std::initializer_list<int64_t> numbers = {});
// After beforeOpaque(), which gave the version: the operation itself, for which `popped` entries go and the result comes.
void finishOpaque(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, ir::Operands operands, int popped,
                  OpaqueResult kind, Id version);
// The result, and what comes after it.
void pushOpaque(RegionBuilder& b, const BytecodeInstruction& in, Id value, OpaqueResult kind, Id version,
                bool called = false);
// A word of a call of anything. `below`: the entry of the operand stack whose reference the callee takes; none: -1.
struct CallOperand {
    Id value;
    int below = -1;
};
// After beforeNativeCall(), which gave the version: functions that have code are entered by it. The words are those of callFallback();
// `popped` entries go, and the result comes.
void callAnything(RegionBuilder& b, const BytecodeInstruction& in, NativeFunction* any, const std::vector<CallOperand>& operands, int popped, Id version);
// CALL of anything: [callable, self or NULL] or [method, self], then the arguments.
void opaqueCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments);
// CPython will make the call: the Python functions that were seen there shall have code that it finds.
void wantCallees(RegionBuilder& b, const BytecodeInstruction& in);
// LOAD_ATTR and STORE_ATTR by CPython.
void opaqueAttributeLoad(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method);
// The topmost entries go into the container that lies `below` the top.
void opaqueAdd(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int below, int items);
void opaqueAttributeStore(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name);
// Afterwards the dicts have every value, and no exit of this instruction writes it again; they alone hold the objects.
void flushNames(RegionBuilder& b);

}  // namespace kiln
