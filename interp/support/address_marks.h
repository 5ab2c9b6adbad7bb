// Which addresses are in a set: most that are asked for are not, and need no look into it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kiln {

// A Bloom filter of one hash that counts: what is given up leaves no mark, or addresses that are used again and again would keep one.
class AddressMarks {
   public:
    void mark(const void* address) {
        uint8_t& count = counts_[placeOf(address)];
        count += count < kMost ? 1 : 0;
    }
    // Once for each mark().
    void unmark(const void* address) {
        uint8_t& count = counts_[placeOf(address)];
        count -= count < kMost ? 1 : 0;
    }
    // False: it has no mark.
    bool mayHave(const void* address) const { return counts_[placeOf(address)] != 0; }

   private:
    static constexpr size_t kPlaces = size_t{1} << 14;
    static constexpr uint8_t kMost = UINT8_MAX;  // stays
    static size_t placeOf(const void* address) { return reinterpret_cast<uintptr_t>(address) / alignof(std::max_align_t) % kPlaces; }

    std::array<uint8_t, kPlaces> counts_{};
};

}  // namespace kiln
