#include "interp/support/short_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using List = kiln::ShortVector<int>;

List upTo(int count) {
    std::vector<int> items(static_cast<size_t>(count));
    std::iota(items.begin(), items.end(), 0);
    return {items.begin(), items.end()};
}

TEST(ShortVector, HoldsFewAndMany) {
    for (const int count : {0, 1, 4, 5, 8, 9, 100}) {
        List list = upTo(count);
        ASSERT_EQ(list.size(), static_cast<size_t>(count));
        EXPECT_EQ(list.empty(), count == 0);
        for (int item = 0; item < count; item++) {
            EXPECT_EQ(list[static_cast<size_t>(item)], item);
        }
        list.push_back(-1);
        EXPECT_EQ(list.back(), -1);
        list.pop_back();
        EXPECT_EQ(list, upTo(count));
    }
}

TEST(ShortVector, CopiesAreTheirOwn) {
    for (const int count : {3, 4, 5, 20}) {
        const List list = upTo(count);
        List copy = list;
        copy[0] = 7;
        EXPECT_EQ(list[0], 0);
        List longer = upTo(30);
        longer = copy;
        EXPECT_EQ(longer, copy);
        copy = *&copy;
        EXPECT_EQ(longer, copy);
        List shorter = upTo(1);
        shorter = copy;
        EXPECT_EQ(shorter, copy);
    }
}

TEST(ShortVector, AListThatWasMovedFromIsEmpty) {
    for (const int count : {3, 4, 5, 20}) {
        List list = upTo(count);
        List taken = std::move(list);
        EXPECT_EQ(taken, upTo(count));
        EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move)
        list.push_back(1);
        taken = std::move(list);
        EXPECT_EQ(taken, (List{1}));
    }
}

TEST(ShortVector, InsertsAndErases) {
    List list = {1, 2, 3};
    const std::vector<int> more = {7, 8, 9, 10};
    list.insert(list.begin() + 1, more.begin(), more.end());
    EXPECT_EQ(list, (List{1, 7, 8, 9, 10, 2, 3}));
    list.insert(list.begin(), 0);
    list.insert(list.end(), 4);
    EXPECT_EQ(list, (List{0, 1, 7, 8, 9, 10, 2, 3, 4}));
    list.erase(list.begin() + 2, list.begin() + 6);
    EXPECT_EQ(list, (List{0, 1, 2, 3, 4}));
    list.erase(list.begin());
    EXPECT_EQ(list, (List{1, 2, 3, 4}));
    list.assign(more.begin(), more.begin() + 2);
    EXPECT_EQ(list, (List{7, 8}));
}

TEST(ShortVector, ItemsMayBeLargerThanAPointer) {
    struct Pair {
        const char* name = nullptr;
        int64_t number = 0;
    };
    kiln::ShortVector<Pair, 3> pairs;
    for (int64_t number = 0; number < 10; number++) {
        pairs.push_back({"name", number});
        const kiln::ShortVector<Pair, 3> copy = pairs;
        ASSERT_EQ(copy.size(), static_cast<size_t>(number + 1));
        EXPECT_EQ(copy.back().number, number);
    }
    pairs.resize(2);
    EXPECT_EQ(pairs.back().number, 1);
    EXPECT_STREQ(pairs.back().name, "name");
}

TEST(ShortVector, ASizeAloneIsRoomForItemsToCome) {
    for (const size_t count : {2, 20}) {
        kiln::ShortVector<int> numbers(count);
        EXPECT_EQ(numbers.size(), count);
        std::iota(numbers.begin(), numbers.end(), 0);
        numbers.resize(count + 1);
        EXPECT_EQ(numbers[count - 1], static_cast<int>(count) - 1);
    }
}

TEST(ShortVector, ComparesByItems) {
    EXPECT_LT((List{1, 2}), (List{1, 3}));
    EXPECT_LT((List{1, 2}), (List{1, 2, 0}));
    EXPECT_NE((List{1, 2}), (List{1, 2, 3, 4, 5}));
    EXPECT_EQ(List(std::vector<int>{1, 2}), (List{1, 2}));
}

}  // namespace
