// Which addresses were ever put into a set: most that are asked for never were, and need no look into it.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace kiln {

// A Bloom filter of one hash.
class AddressMarks {
   public:
    void mark(const void* address) { marks_.set(placeOf(address)); }
    // False: it was never marked.
    bool mayHave(const void* address) const { return marks_.test(placeOf(address)); }

   private:
    static constexpr size_t kPlaces = size_t{1} << 14;
    static size_t placeOf(const void* address) { return reinterpret_cast<uintptr_t>(address) / alignof(std::max_align_t) % kPlaces; }

    std::bitset<kPlaces> marks_;
};

}  // namespace kiln
