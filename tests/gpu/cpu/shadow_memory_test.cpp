// Which accesses of a kernel's threads are ordered, and which of them race.
#include "gpu/cpu/shadow_memory.h"

#include <gtest/gtest.h>

namespace kiln::gpu {
namespace {

constexpr size_t kLimit = size_t(64) << 20;
constexpr uint64_t kAddress = 0x1000;

class Races : public testing::Test {
protected:
    // Whether an access by this thread of the block races with one before.
    bool races(BlockOrder& block, int32_t thread, AccessKind kind, uint64_t address = kAddress, int64_t bytes = 4,
               bool keepsBytes = false) {
        MemoryAccess access = {address, bytes, kind, keepsBytes, 0, block.now(thread)};
        return memory_.record(access, block).has_value();
    }
    bool reads(BlockOrder& block, int32_t thread) { return races(block, thread, AccessKind::kRead); }
    bool writes(BlockOrder& block, int32_t thread) { return races(block, thread, AccessKind::kWrite); }
    bool updates(BlockOrder& block, int32_t thread) { return races(block, thread, AccessKind::kAtomic); }

    ShadowMemory memory_{kLimit};
    BlockOrder block_{0, 64};
    BlockOrder other_{1, 64};
};

TEST_F(Races, OneOfBothWrites) {
    EXPECT_FALSE(reads(block_, 0));
    EXPECT_FALSE(reads(block_, 1));
    EXPECT_FALSE(reads(other_, 1));
    EXPECT_TRUE(writes(block_, 2));
}

TEST_F(Races, OwnPastIsBefore) {
    EXPECT_FALSE(writes(block_, 3));
    EXPECT_FALSE(reads(block_, 3));
    EXPECT_FALSE(updates(block_, 3));
    EXPECT_FALSE(writes(block_, 3));
    EXPECT_TRUE(reads(other_, 3));
}

TEST_F(Races, BarriersOrderABlock) {
    EXPECT_FALSE(writes(block_, 0));
    block_.passBarrier();
    EXPECT_FALSE(reads(block_, 1));
    EXPECT_FALSE(reads(block_, 2));
    block_.passBarrier();
    EXPECT_FALSE(writes(block_, 3));
    other_.passBarrier();
    EXPECT_TRUE(reads(other_, 0));
    block_.passGridBarrier();
    other_.passGridBarrier();
    EXPECT_FALSE(reads(other_, 0));
}

TEST_F(Races, AtomicsDoNotRaceWithEachOther) {
    EXPECT_FALSE(updates(block_, 0));
    EXPECT_FALSE(updates(other_, 1));
    EXPECT_TRUE(reads(block_, 0));
    EXPECT_TRUE(writes(other_, 1));
}

TEST_F(Races, BytesOfAnElement) {
    EXPECT_FALSE(races(block_, 0, AccessKind::kWrite, kAddress, 1));
    EXPECT_FALSE(races(block_, 1, AccessKind::kWrite, kAddress + 1, 1));
    EXPECT_FALSE(races(block_, 2, AccessKind::kWrite, kAddress + 4, 16));
    EXPECT_TRUE(races(block_, 3, AccessKind::kRead, kAddress, 4));
    EXPECT_TRUE(races(block_, 0, AccessKind::kWrite, kAddress + 16, 8));
    EXPECT_FALSE(races(block_, 2, AccessKind::kWrite, kAddress + 12, 4));
}

TEST_F(Races, WritesOfTheSameValue) {
    EXPECT_FALSE(writes(block_, 0));
    EXPECT_FALSE(races(block_, 1, AccessKind::kWrite, kAddress, 4, true));
    EXPECT_TRUE(writes(block_, 0));
}

TEST_F(Races, WarpsOrderTheLanesThatNameEachOther) {
    std::vector<uint32_t> masks(64, 0xFFFF);
    std::fill(masks.begin() + 16, masks.end(), 0xFFFF0000);
    EXPECT_FALSE(writes(block_, 0));
    block_.passWarps(nullptr, masks.data());
    EXPECT_FALSE(reads(block_, 15));
    EXPECT_TRUE(reads(block_, 16));
    std::fill(masks.begin(), masks.end(), ~0u);
    std::vector<uint8_t> active(64, 1);
    active[20] = 0;
    block_.passWarps(active.data(), masks.data());
    EXPECT_FALSE(reads(block_, 16));
    EXPECT_TRUE(reads(block_, 20));
    EXPECT_TRUE(reads(block_, 32));
}

// A thread of one block hands on what its block wrote, through a counter.
bool arrivesRacing(bool hasFence, bool isBehind) {
    ShadowMemory memory(kLimit);
    BlockOrder first(0, 32);
    BlockOrder second(1, 32);
    auto access = [&](BlockOrder& block, int32_t thread, AccessKind kind) {
        return memory.record({kAddress, 8, kind, false, 0, block.now(thread)}, block).has_value();
    };
    EXPECT_FALSE(access(first, isBehind ? 5 : 0, AccessKind::kWrite));
    first.passBarrier();
    if (hasFence) {
        first.passFence(0);
    }
    second.learn(7, first.toldBy(0));
    second.passBarrier();
    return access(second, 9, AccessKind::kRead);
}

TEST_F(Races, AtomicsBehindAFenceTellWhatWasBefore) {
    EXPECT_FALSE(arrivesRacing(true, false));
    EXPECT_FALSE(arrivesRacing(true, true));
    EXPECT_TRUE(arrivesRacing(false, false));
}

TEST_F(Races, WhatComesBehindTheFenceIsNotTold) {
    block_.passFence(0);
    EXPECT_FALSE(writes(block_, 0));
    other_.learn(0, block_.toldBy(0));
    EXPECT_TRUE(reads(other_, 0));
}

}  // namespace
}  // namespace kiln::gpu
