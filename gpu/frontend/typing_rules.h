// numba's typing rules for scalars: what an operator computes in, and what two types become where paths meet.
#pragma once

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Types that the operands are converted to, and of the result. All nullptr: there is no such operation.
struct BinaryRule {
    const Type* left = nullptr;
    const Type* right = nullptr;
    const Type* result = nullptr;
};

// Of Add ... ShiftRight and the comparisons. Scalars only.
BinaryRule binaryRule(Op op, const Type* left, const Type* right);
// Of Negate, Invert, and + (Absolute keeps its operand's type).
const Type* unaryType(const Type* operand);
// NumPy's promotion, which numba uses where paths meet and for min and max. nullptr: they do not go together.
const Type* unifyScalars(const Type* left, const Type* right);
// The array type that both arrays have a view of; nullptr when elements or dimensions differ.
const Type* unifyArrays(const Type* left, const Type* right);
// What range() of these types yields.
const Type* rangeType(const Type* const* types, size_t count);
// What it takes to use a value of one scalar type as one of another, the lesser the better.
enum class Conversion { kExact, kPromote, kSafe, kUnsafe, kNone };
Conversion conversionBetween(const Type* from, const Type* to);
// A float32 for a float16, and for what else it holds exactly of integers; other types are themselves.
const Type* atLeastSingle(const Type* type);
// What math functions compute in: float32 for float32, else float64.
const Type* mathType(const Type* const* types, size_t count);

}  // namespace kiln::gpu
