// Tells abstract states apart: a hash of 128 bits, in the stead of all that it was made from. Two states that differ get the same one
// with a chance of 2^-128 for each pair; a region has some hundred.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace kiln {

class StateKey {
   public:
    void add(uint64_t word) {
        constexpr uint64_t kLow = 0x9e3779b97f4a7c15;  // odd, without a pattern: those of xxHash and of the golden ratio
        constexpr uint64_t kHigh = 0xc2b2ae3d27d4eb4f;
        low_ = (low_ ^ word) * kLow;
        low_ ^= low_ >> 32;
        high_ = (std::rotl(high_, 27) + word) * kHigh;
        high_ ^= high_ >> 29;
    }
    void add(const void* pointer) { add(reinterpret_cast<uintptr_t>(pointer)); }

    auto operator<=>(const StateKey&) const = default;

    struct Hash {
        size_t operator()(const StateKey& key) const { return key.low_; }
    };

   private:
    uint64_t low_ = 0;
    uint64_t high_ = 0;
};

}  // namespace kiln
