// What the threads of a kernel know to have happened: by barriers, by what warps do together, and by atomic operations behind a fence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kiln::gpu {

// When a thread did something.
struct Moment {
    int64_t block = 0;
    int32_t thread = 0;  // of its block
    uint32_t grid = 0;   // barriers of the grid so far
    uint32_t epoch = 0;  // barriers of the block so far
    uint32_t clock = 0;  // of the thread: what it did with others so far
};

// A part of the past: of some threads all before a clock, of some blocks all before an epoch.
class Knowledge {
public:
    bool isEmpty() const { return threads_.empty() && blocks_.empty(); }
    bool has(const Moment& moment) const;
    void addThread(int64_t block, int32_t thread, uint32_t clock);
    void addBlock(int64_t block, uint32_t epoch);
    void add(const Knowledge& other);

private:
    using Past = std::vector<std::pair<uint64_t, uint32_t>>;  // sorted
    static void raise(Past& past, uint64_t key, uint32_t value);
    static bool isPast(const Past& past, uint64_t key, uint32_t value);
    static void merge(Past& past, const Past& other);

    Past threads_;
    Past blocks_;
};

// The order in which one block's threads see what is done. Not thread-safe: a block runs on one thread at a time.
class BlockOrder {
public:
    BlockOrder(int64_t block, int64_t threads) : block_(block), threads_(static_cast<size_t>(threads)) {}

    Moment now(int32_t thread) const;
    // Whether `earlier` has happened before what the thread does now. A thread's own past has.
    bool isBefore(const Moment& earlier, int32_t thread) const;

    // All threads of the block have come here, and of the grid.
    void passBarrier();
    void passGridBarrier() { grid_++; }
    // What lanes of a warp do together: `masks` (by thread) names who, `active` (by thread, or null: all) who came here.
    void passWarps(const uint8_t* active, const uint32_t* masks);
    void passFence(int32_t thread);
    // What an atomic operation of this thread tells those that later come to the same element: what was done before a fence.
    Knowledge toldBy(int32_t thread) const;
    void learn(int32_t thread, const Knowledge& told) { threads_[static_cast<size_t>(thread)].known.add(told); }

private:
    struct Thread {
        uint32_t clock = 1;
        uint32_t fenceClock = 0;  // at its last fence in this epoch; 0: there was none
        Knowledge known;
    };
    void passWarp(int64_t first, uint32_t lanes);

    int64_t block_;
    uint32_t grid_ = 0;
    uint32_t epoch_ = 1;
    uint32_t fencedEpoch_ = 0;  // all before it is behind a fence of some thread
    Knowledge known_;           // to all threads, of other blocks
    std::vector<Thread> threads_;
};

}  // namespace kiln::gpu
