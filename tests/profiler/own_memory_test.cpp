// Reads of memory that may be gone.
#include "profiler/own_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>

namespace kiln {
namespace {

// Two pages, of which the second may be taken away and come back.
class OwnMemoryTest : public testing::Test {
protected:
    void SetUp() override {
        OwnMemory::prepare();
        pages_ =
            static_cast<char*>(::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        ASSERT_NE(pages_, MAP_FAILED);
        first() = 1;
        second() = 2;
    }
    void TearDown() override { ::munmap(pages_, 2 * kPage); }

    long& first() { return *reinterpret_cast<long*>(pages_); }
    long& second() { return *reinterpret_cast<long*>(pages_ + kPage); }
    void takeSecondAway() { ::munmap(pages_ + kPage, kPage); }

    long readOr(const long& place, long none) {
        long value = 0;
        return memory.read(&value, &place, sizeof value) ? value : none;
    }

    static constexpr size_t kPage = 4096;
    OwnMemory memory;

private:
    char* pages_ = nullptr;
};

TEST_F(OwnMemoryTest, ValuesAreThoseOfTheRound) {
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 1);
    EXPECT_EQ(readOr(second(), -1), 2);
    first() = 10;
    second() = 20;
    memory.begin();
    first() = 100;  // read in advance: the round began before
    EXPECT_EQ(readOr(second(), -1), 20);
    EXPECT_EQ(readOr(first(), -1), 10);
    EXPECT_EQ(readOr(first(), -1), 10);
    long now = 0;
    EXPECT_TRUE(memory.readNow(&now, &first(), sizeof now));
    EXPECT_EQ(now, 100);
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 100);
}

TEST_F(OwnMemoryTest, SizesAreToldApart) {
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 1);
    memory.begin();
    int part = 0;
    EXPECT_TRUE(memory.read(&part, &first(), sizeof part));
    EXPECT_EQ(part, 1);
}

TEST_F(OwnMemoryTest, WhatIsGoneFailsAlone) {
    memory.begin();
    EXPECT_EQ(readOr(second(), -1), 2);
    EXPECT_EQ(readOr(first(), -1), 1);
    const long& gone = second();
    takeSecondAway();
    memory.begin();
    EXPECT_EQ(readOr(gone, -1), -1);
    EXPECT_EQ(readOr(first(), -1), 1);
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 1);
    EXPECT_EQ(readOr(gone, -1), -1);
}

// What a racing program shows as a pointer may be any number: the end of such a range lies before its beginning, in a window.
TEST_F(OwnMemoryTest, RangesThatWrapAroundFail) {
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 1);
    memory.begin();
    char bytes[64];
    for (uintptr_t before : {1, 8, 63}) {
        auto place = static_cast<uintptr_t>(0) - before;
        EXPECT_FALSE(memory.read(bytes, reinterpret_cast<const void*>(place), sizeof bytes));
    }
}

TEST_F(OwnMemoryTest, NeighboursAreReadAsOne) {
    long* places = &first();
    for (int i = 0; i < 200; i++) {
        places[i] = i;
    }
    for (int round = 0; round < 3; round++) {
        memory.begin();
        for (int i : {190, 3, 40, 41, 100, 7, 3, 199}) {
            EXPECT_EQ(readOr(places[i], -1), i + round);
        }
        EXPECT_EQ(readOr(second(), -1), 2);
        for (int i = 0; i < 200; i++) {
            places[i]++;
        }
    }
}

TEST_F(OwnMemoryTest, WhatNobodyAsksForIsReadInAdvanceForSomeRounds) {
    memory.begin();
    EXPECT_EQ(readOr(second(), -1), 2);
    auto isOfTheRound = [&] {
        memory.begin();
        second()++;
        return readOr(second(), -1) != second();
    };
    EXPECT_TRUE(isOfTheRound());
    memory.begin();
    memory.begin();
    EXPECT_TRUE(isOfTheRound());
    for (int round = 0; round < 10; round++) {
        memory.begin();
    }
    EXPECT_FALSE(isOfTheRound());
    EXPECT_TRUE(isOfTheRound());
}

TEST_F(OwnMemoryTest, WhatStaysIsReadAsItIsNow) {
    memory.stays(&first(), &first() + 4);
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 1);
    EXPECT_EQ(readOr(second(), -1), 2);
    memory.begin();
    first() = 10;
    second() = 20;
    EXPECT_EQ(readOr(first(), -1), 10);
    EXPECT_EQ(readOr(second(), -1), 2);  // read in advance
    takeSecondAway();
    memory.begin();
    EXPECT_EQ(readOr(first(), -1), 10);
}

TEST_F(OwnMemoryTest, WhatStaysGrowsDownwards) {
    long* places = &first();
    for (int from : {100, 80, 90, 50}) {
        memory.stays(places + from, places + 120);
    }
    memory.begin();
    for (int i : {49, 50, 119, 120}) {
        EXPECT_EQ(readOr(places[i], -1), 0);
    }
    memory.begin();
    for (int i : {49, 50, 119, 120}) {
        places[i] = 1;
        EXPECT_EQ(readOr(places[i], -1), i == 50 || i == 119 ? 1 : 0) << i;
    }
    memory.leaves(places, 8 * 50);
    memory.begin();
    places[50] = 2;
    EXPECT_EQ(readOr(places[50], -1), 2);
    memory.leaves(places + 119, 8);
    memory.begin();
    places[50] = 3;
    EXPECT_EQ(readOr(places[50], -1), 3);
    memory.begin();
    places[50] = 4;
    EXPECT_EQ(readOr(places[50], -1), 3);
    // One that is partly outside is none of it.
    takeSecondAway();
    memory.stays(places + 500, places + 512);
    memory.begin();
    char bytes[64];
    EXPECT_TRUE(memory.read(bytes, places + 504, sizeof bytes));
    EXPECT_FALSE(memory.read(bytes, places + 508, sizeof bytes));
}

TEST_F(OwnMemoryTest, ManyReadsOfAnySize) {
    for (int round = 0; round < 3; round++) {
        memory.begin();
        char bytes[1000];
        EXPECT_TRUE(memory.read(bytes, &first(), sizeof bytes));
        for (int i = 0; i < 100; i++) {
            const long* place = &first() + i;
            EXPECT_EQ(readOr(*place, -1), i == 0 ? 1 : 0);
        }
    }
}

}  // namespace
}  // namespace kiln
