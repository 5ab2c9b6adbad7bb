// Reads of this process's memory at addresses that may be gone by now: the kernel answers these with an error.
//
// A read through the kernel costs microseconds. Who looks at the same places again and again reads the same addresses: one call then
// reads in advance whatever was read in the last few rounds. What is known to stay is read without the kernel.
#pragma once

#include <cstddef>

namespace kiln {

// Not thread-safe.
class OwnMemory {
public:
    // Once in each process, before anything is read.
    static void prepare();
    // What lies from `from` up to `end` is readable until leaves() is told of it. Whoever says so again of more with the same end says it
    // of all. A few places; more are not remembered.
    void stays(const void* from, const void* end);
    // No place that has anything of this stays.
    void leaves(const void* from, size_t size);
    // Begins a round. What was read lately is read now, so far as it is still there.
    void begin();
    // Copies `size` bytes, as they were at the round's beginning or later. Others may write them meanwhile. False if they can't be read.
    bool read(void* to, const void* from, size_t size);
    // The same as they are now.
    bool readNow(void* to, const void* from, size_t size) const;

private:
    static constexpr size_t kMostRanges = 16;
    static constexpr size_t kMostBytes = 4096;  // that are read in advance
    static constexpr size_t kMostPlaces = 8;    // that stay
    static constexpr int kMostRounds = 4;       // for which a range is read in advance though nobody asks for it
    static constexpr size_t kMostGap = 256;     // between ranges that are read as one: each page costs, not each byte

    struct Range {
        const char* from = nullptr;
        size_t size = 0;
        int rounds = 0;  // since somebody asked for it
        bool operator==(const Range& other) const { return from == other.from && size == other.size; }
    };

    bool isStaying(const Range& range) const;
    void remember(const Range& range);
    void forgetOld();
    void makeWindows();

    Range staying_[kMostPlaces];
    size_t stayingCount_ = 0;
    Range recent_[kMostRanges];  // asked for in this round, and then in rounds before
    size_t recentCount_ = 0;
    size_t askedCount_ = 0;       // of these in this round
    Range windows_[kMostRanges];  // read in advance, one behind the other in bytes_
    size_t windowCount_ = 0;
    char bytes_[kMostBytes];
};

}  // namespace kiln
