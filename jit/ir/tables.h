// Enums of the IR's side tables: helpers, math functions, and the fields of CPython's objects.
#pragma once

#include <cstdint>
#include <limits>

namespace kiln {

enum class Helper : uint8_t {
#define KILN_HELPER(name, code, meaning) k_##name,
#include "jit/ir/runtime_helpers.def"
#undef KILN_HELPER
    kCount
};

inline constexpr const char* kHelperNames[] = {
#define KILN_HELPER(name, code, meaning) #name,
#include "jit/ir/runtime_helpers.def"
#undef KILN_HELPER
};

// kLoop: a `for` statement.
enum class Consumer : uint8_t {
    kLoop,
#define KILN_CONSUMER(name, owner, most) k_##name,
#include "jit/ir/consumers.def"
#undef KILN_CONSUMER
};

inline constexpr const char* kConsumerNames[] = {
    "loop",
#define KILN_CONSUMER(name, owner, most) #name,
#include "jit/ir/consumers.def"
#undef KILN_CONSUMER
};

enum class ResultUse : uint8_t {
#define KILN_RESULT_USE(name, operands, finish) k_##name,
#include "jit/ir/result_uses.def"
#undef KILN_RESULT_USE
    kCount
};

inline constexpr const char* kResultUseNames[] = {
#define KILN_RESULT_USE(name, operands, finish) #name,
#include "jit/ir/result_uses.def"
#undef KILN_RESULT_USE
};

inline constexpr int kResultUseOperands[] = {
#define KILN_RESULT_USE(name, operands, finish) operands,
#include "jit/ir/result_uses.def"
#undef KILN_RESULT_USE
};

// Of a call of a class: how many operands stay, of which the second is the class; and the place of the keywords' names in the object table,
// kNoId when there are none.
constexpr int32_t kMostOperandsOfCreation = 255;
constexpr int32_t packCreation(int32_t operands, int32_t keywordNames) {
    return operands + (keywordNames + 1) * (kMostOperandsOfCreation + 1);
}
constexpr int32_t operandsOfCreation(int32_t detail) {
    return detail % (kMostOperandsOfCreation + 1);
}
constexpr int32_t keywordNamesOfCreation(int32_t detail) {
    return detail / (kMostOperandsOfCreation + 1) - 1;
}

// Entries on the caller's stack that are the operation's, while a callee with this use of its result runs.
constexpr int operandsOf(ResultUse use, int32_t detail) {
    return use == ResultUse::k_called    ? detail
           : use == ResultUse::k_created ? operandsOfCreation(detail)
                                         : kResultUseOperands[static_cast<int>(use)];
}

enum class HelperCode : uint8_t { kForeign, kLeaf };

inline constexpr HelperCode kHelperCodes[] = {
#define KILN_HELPER(name, code, meaning) HelperCode::k##code,
#include "jit/ir/runtime_helpers.def"
#undef KILN_HELPER
};

// NULL is also the end of what it asks for items, without an exception then.
constexpr bool hasAnEnd(Helper helper) {
    return helper == Helper::k_next || helper == Helper::k_next_of_generator;
}

enum class MathFunction : uint8_t {
#define KILN_MATH(name, arity, overflow) k_##name,
#include "jit/ir/math_functions.def"
#undef KILN_MATH
    kCount
};

inline constexpr const char* kMathNames[] = {
#define KILN_MATH(name, arity, overflow) #name,
#include "jit/ir/math_functions.def"
#undef KILN_MATH
};

inline constexpr int kMathArities[] = {
#define KILN_MATH(name, arity, overflow) arity,
#include "jit/ir/math_functions.def"
#undef KILN_MATH
};

// What becomes of an exception of the callee's that a snapshot waits for.
enum class Failure : uint8_t {
    kSeen,       // somebody may look at it
    kPasses,     // it is the function root's, whose caller knows
    kDiscarded,  // a handler drops it unseen, if it is of a certain class
};

// Rows of interp/cpython/layout.def, by name.
enum class Field : uint8_t {
#define KILN_LAYOUT(name, type, field) k_##name,
#include "interp/cpython/layout.def"
#undef KILN_LAYOUT
    kCount
};

// What a helper gives back where it could not do its work, with no exception set: the caller leaves, and CPython does it.
// The float is a nan with a payload of its own; a result that happens to equal one of them only costs an exit.
inline constexpr int64_t kFailedInt = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kFailedFloatBits = 0x7ff86b696c6e0001;

}  // namespace kiln
