// Reads of this process's memory at addresses that may be gone by now: the kernel answers these with an error.
//
// A read through the kernel costs microseconds. Who looks at the same places again and again reads the same addresses: one call then
// reads in advance whatever was read in the rounds before.
#pragma once

#include <cstddef>

namespace kiln {

// Not thread-safe.
class OwnMemory {
public:
    // Once in each process, before anything is read.
    static void prepare();
    // Begins a round. What was read lately is read now, so far as it is still there.
    void begin();
    // Copies `size` bytes, as they were at the round's beginning or later. False if they can't be read.
    bool read(void* to, const void* from, size_t size);
    // The same as they are now.
    static bool readNow(void* to, const void* from, size_t size);

private:
    static constexpr size_t kMostReads = 16;
    static constexpr size_t kMostBytes = 128;  // of one that is read in advance

    struct Range {
        const void* from = nullptr;
        size_t size = 0;
        bool operator==(const Range&) const = default;
    };

    void remember(const Range& range);

    Range asked_[kMostReads];  // in this round
    size_t askedCount_ = 0;
    Range inAdvance_[kMostReads];  // with their bytes, the latest first
    char bytes_[kMostReads][kMostBytes];
    size_t count_ = 0;
    size_t next_ = 0;  // of these is expected next
};

}  // namespace kiln
