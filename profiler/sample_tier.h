// The tiers of samples: the table sample_tiers.def as data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiln {

enum class ReportTier : uint8_t {
#define KILN_SAMPLE_TIER(tier, name, share) k##tier,
#include "profiler/sample_tiers.def"
#undef KILN_SAMPLE_TIER
};

inline constexpr std::array kTierNames = {
#define KILN_SAMPLE_TIER(tier, name, share) std::string_view(name),
#include "profiler/sample_tiers.def"
#undef KILN_SAMPLE_TIER
};
inline constexpr size_t kTierCount = kTierNames.size();

// kInterpreted for a name that is none.
constexpr ReportTier tierNamed(std::string_view name) {
    for (size_t tier = 0; tier < kTierCount; tier++) {
        if (kTierNames[tier] == name) {
            return static_cast<ReportTier>(tier);
        }
    }
    return ReportTier::kInterpreted;
}

struct TierSeconds {
    double interpreted = 0;
    double native = 0;
    double compiling = 0;

    double total() const { return interpreted + native + compiling; }
    double& operator[](ReportTier tier) {
        switch (tier) {
#define KILN_SAMPLE_TIER(tier, name, share) \
    case ReportTier::k##tier:               \
        return share;
#include "profiler/sample_tiers.def"
#undef KILN_SAMPLE_TIER
        }
        return interpreted;
    }
    TierSeconds& operator+=(const TierSeconds& other) {
        interpreted += other.interpreted;
        native += other.native;
        compiling += other.compiling;
        return *this;
    }
};

}  // namespace kiln
