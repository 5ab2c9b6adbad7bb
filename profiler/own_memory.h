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
    static constexpr size_t kMostRanges = 16;
    static constexpr size_t kMostBytes = 4096;  // that are read in advance
    static constexpr size_t kMostGap = 256;     // between ranges that are read as one: each page costs, not each byte

    struct Range {
        const char* from = nullptr;
        size_t size = 0;
        bool operator==(const Range&) const = default;
    };

    void remember(const Range& range);
    void makeWindows();

    Range recent_[kMostRanges];  // asked for in this round, and then in rounds before
    size_t recentCount_ = 0;
    size_t askedCount_ = 0;       // of these in this round
    Range windows_[kMostRanges];  // read in advance, one behind the other in bytes_
    size_t windowCount_ = 0;
    char bytes_[kMostBytes];
};

}  // namespace kiln
