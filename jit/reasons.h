// Exit reasons and refusals as enums, with their codes and texts.
#pragma once

#include <cstdint>

namespace kiln {

enum class ExitReason : uint8_t {
#define KILN_EXIT_REASON(name, code, hot, text) k_##name,
#include "jit/exit_reasons.def"
#undef KILN_EXIT_REASON
};

enum class ExitHeat : uint8_t { kExtends, kWidens, kNormal };

struct ExitReasonInfo {
    const char* name;
    const char* code;
    ExitHeat heat;
    const char* text;
};

inline constexpr ExitReasonInfo kExitReasons[] = {
#define KILN_EXIT_REASON(name, code, hot, text) {#name, code, ExitHeat::k##hot, text},
#include "jit/exit_reasons.def"
#undef KILN_EXIT_REASON
};

enum class Refusal : uint8_t {
    kNone,
#define KILN_REFUSAL(name, code, text) k_##name,
#include "jit/refusals.def"
#undef KILN_REFUSAL
};

struct RefusalInfo {
    const char* code;
    const char* text;
};

inline constexpr RefusalInfo kRefusals[] = {
    {"", ""},
#define KILN_REFUSAL(name, code, text) {code, text},
#include "jit/refusals.def"
#undef KILN_REFUSAL
};

inline const ExitReasonInfo& info(ExitReason reason) {
    return kExitReasons[static_cast<int>(reason)];
}
inline const RefusalInfo& info(Refusal refusal) {
    return kRefusals[static_cast<int>(refusal)];
}

}  // namespace kiln
