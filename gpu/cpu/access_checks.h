// Checks of what a launch's threads read and write: races, and values that nothing wrote.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "gpu/cpu/shadow_memory.h"

namespace kiln::gpu {

// What is wrong with an access: it conflicts with another one that no barrier orders, or reads what nothing has written.
struct AccessFault {
    bool isRace = false;
    bool mayBeRace = false;  // the other thread, which was to write it, may still come
    MemoryAccess access;
    MemoryAccess other;  // of a race
};

// What the blocks of a launch have in common. Thread-safe.
class LaunchChecks {
public:
    explicit LaunchChecks(size_t limit) : memory_(limit) {}

    ShadowMemory& memory() { return memory_; }
    // What atomic operations on an element tell each other.
    void tell(uint64_t address, const Knowledge& told);
    Knowledge toldAt(uint64_t address);

private:
    ShadowMemory memory_;
    std::mutex mutex_;
    std::unordered_map<uint64_t, Knowledge> told_;
    std::atomic<bool> isAnyTold_ = false;
};

// Of the block that runs now. A new block begins with begin().
class BlockChecks {
public:
    explicit BlockChecks(LaunchChecks& launch) : launch_(launch) {}

    // Its shared memory, where nothing is written yet, and how many threads it has.
    void begin(int64_t block, int64_t threads, uint64_t shared, int64_t sharedBytes);
    // Before an access by the thread; `access` without its moment.
    std::optional<AccessFault> access(MemoryAccess access, int32_t thread);
    // Behind an atomic one.
    void atomicDone(uint64_t address, int32_t thread);
    // A local array is made.
    void undefine(uint64_t address, int64_t bytes);
    BlockOrder& order() { return *order_; }

private:
    // Memory that is new: which bytes have been written.
    struct Range {
        int64_t bytes = 0;
        std::vector<bool> written;
    };
    static bool touch(Range& range, uint64_t begin, const MemoryAccess& access);

    LaunchChecks& launch_;
    std::unique_ptr<BlockOrder> order_;
    std::unique_ptr<LaunchChecks> own_;  // of shared memory
    uint64_t shared_ = 0;
    Range sharedRange_;
    std::map<uint64_t, Range> locals_;  // by address
    LaunchChecks& checksOf(uint64_t address);
};

}  // namespace kiln::gpu
