// The ops and value types of the region IR, derived from ir_ops.def.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln::ir {

enum class Type : uint8_t { kNone, kInt, kFloat, kBool, kObject };

enum class Effect : uint8_t { kPure, kGuard, kRead, kWrite, kState, kOpaque, kStore, kRelease, kAttempt, kEnd };

enum class Immediate : uint8_t { kNone, kInt, kFloat, kObject, kSlot, kHelper, kField, kUnit, kMath, kRoot, kVar, kElement, kSeen };

enum class Op : uint8_t {
#define KILN_OP(name, result, operands, immediate, effects) k_##name,
#include "jit/ir/ir_ops.def"
#undef KILN_OP
};

struct OpInfo {
    const char* name;
    char result;           // letter of ir_ops.def
    const char* operands;  // letters of ir_ops.def; "*" is any
    Immediate immediate;
    Effect effect;
};

// Of guard_exchange's operands the container, which may be left out.
inline constexpr std::size_t kExchangedContainer = 2;

inline constexpr OpInfo kOps[] = {
#define KILN_OP(name, result, operands, immediate, effects) \
    {#name, #result[0], operands, Immediate::k##immediate, Effect::k##effects},
#include "jit/ir/ir_ops.def"
#undef KILN_OP
};
inline constexpr int kOpCount = sizeof kOps / sizeof kOps[0];

inline const OpInfo& info(Op op) {
    return kOps[static_cast<int>(op)];
}

Type typeOfLetter(char letter);
char letterOfType(Type type);
// True for the ops that name a snapshot: they leave through it, or record it.
bool namesSnapshot(Op op);
// True for the ops that only strips of a loop's rounds have.
bool isOfStrips(Op op);
// True for the guards that may do without one: what they fail on are numbers. A division without one has a positive divisor.
bool isDeferrable(Op op);

// Operations of CPython's by a helper that may fail with an exception: the region is left, or goes on where it is handled.
inline bool isOpaqueCall(Op op) {
    return op == Op::k_opaque_object || op == Op::k_opaque_int || op == Op::k_opaque_float || op == Op::k_attempt_object || op == Op::k_attempt_int;
}
inline bool isNativeCall(Op op) {
    return op == Op::k_call_native || op == Op::k_attempt_native;
}

}  // namespace kiln::ir
